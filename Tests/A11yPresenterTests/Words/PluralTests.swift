// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yRules
import Testing

@testable import A11yPresenter

/// The forms beside a number are those of CLDR.
@Suite struct PluralTests {
  /// The numbers from 0 to 120 in each form, as the plural rules of CLDR 48 have them.
  private static let samples: [WordLanguage: [PluralForm: [ClosedRange<Int64>]]] = [
    .english: alone, .german: alone, .spanish: alone, .italian: alone, .dutch: alone,
    .swedish: alone,
    .french: [.one: [0...1], .other: [2...120]],
    .portuguese: [.one: [0...1], .other: [2...120]],
    .polish: [
      .one: [1...1],
      .few: fews,
      .many: [
        0...0, 5...21, 25...31, 35...41, 45...51, 55...61, 65...71, 75...81, 85...91, 95...101,
        105...120,
      ],
    ],
    .russian: [
      .one: [
        1...1, 21...21, 31...31, 41...41, 51...51, 61...61, 71...71, 81...81, 91...91, 101...101,
      ],
      .few: fews,
      .many: [
        0...0, 5...20, 25...30, 35...40, 45...50, 55...60, 65...70, 75...80, 85...90, 95...100,
        105...120,
      ],
    ],
    .arabic: [
      .zero: [0...0], .one: [1...1], .two: [2...2], .few: [3...10, 103...110],
      .many: [11...99, 111...120], .other: [100...102],
    ],
  ]

  private static let alone: [PluralForm: [ClosedRange<Int64>]] = [
    .one: [1...1], .other: [0...0, 2...120],
  ]
  private static let fews: [ClosedRange<Int64>] = [
    2...4, 22...24, 32...34, 42...44, 52...54, 62...64, 72...74, 82...84, 92...94, 102...104,
  ]

  @Test(arguments: WordLanguage.allCases)
  func `every number has the form that its language gives it`(language: WordLanguage) throws {
    let samples = try #require(Self.samples[language])
    let rule = OwnWords.of(language).plurals

    for count in Int64(0)...120 {
      let expected = samples.first { $0.value.contains { $0.contains(count) } }?.key
      #expect(rule.form(of: count) == expected, "\(count)")
    }
  }

  @Test(arguments: WordLanguage.allCases)
  func `every sentence with a number has the forms of its language and no other`(
    language: WordLanguage
  ) throws {
    let words = OwnWords.of(language)
    let forms = try #require(Self.samples[language]).keys

    for (sentence, namesApps) in [
      (words.more, true), (words.missed, true), (words.bullets, false),
    ] {
      #expect(Set(sentence.forms.map(\.form)) == Set(forms))
      #expect(sentence.forms.count == forms.count)
      for (form, text) in sentence.forms {
        #expect(text.contains("{apps}") == namesApps, "\(text)")
        // Zero, one and two may be words of their own; one that stands for more numbers may not.
        let numbers = try #require(Self.samples[language]?[form]).flatMap { Array($0) }
        if numbers.count > 1 { #expect(text.contains("{count}"), "\(text)") }
        #expect(!sentence.phrase(form, 7, "Mail").contains("{"), "\(text)")
      }
    }
  }
}
