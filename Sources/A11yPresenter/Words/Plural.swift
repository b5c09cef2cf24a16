// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The forms that words take beside a number, by the names that CLDR gives them.
enum PluralForm: CaseIterable {
  case zero, one, two, few, many, other
}

/// The form for a number, by the rules of CLDR for whole numbers.
///
/// A whole number of millions has a form of its own in French, Spanish, Italian and Portuguese; no
/// summary counts so far, and `other` is said there.
enum PluralRule {
  /// One, and all others.
  case oneAlone
  /// None is told as one is.
  case noneAsOne
  case polish, russian, arabic

  func form(of count: Int64) -> PluralForm {
    switch self {
    case .oneAlone: count == 1 ? .one : .other
    case .noneAsOne: 0...1 ~= count ? .one : .other
    case .polish: count == 1 ? .one : Self.isFew(count) ? .few : .many
    case .russian:
      count % 10 == 1 && count % 100 != 11 ? .one : Self.isFew(count) ? .few : .many
    case .arabic: Self.arabicForm(of: count)
    }
  }

  /// Whether it ends in two, three or four, and not as twelve, thirteen and fourteen do.
  private static func isFew(_ count: Int64) -> Bool {
    2...4 ~= count % 10 && !(12...14 ~= count % 100)
  }

  private static func arabicForm(of count: Int64) -> PluralForm {
    switch count {
    case 0: .zero
    case 1: .one
    case 2: .two
    default:
      switch count % 100 {
      case 3...10: .few
      case 11...99: .many
      default: .other
      }
    }
  }
}

/// A sentence with a number in it, in every form that its language has.
struct CountedSentence: Sendable, ExpressibleByDictionaryLiteral {
  let forms: [(form: PluralForm, text: String)]

  init(dictionaryLiteral forms: (PluralForm, String)...) { self.forms = forms }

  /// The sentence in a form, with the number in the place of `{count}` and the apps in that of
  /// `{apps}`.
  func phrase(_ form: PluralForm, _ count: Int64, _ apps: String) -> String {
    let sentence = forms.first { $0.form == form } ?? forms.last
    var text = ""
    var rest = (sentence?.text ?? "")[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      text += rest[..<open]
      text += rest[open...close] == "{count}" ? "\(count)" : apps
      rest = rest[rest.index(after: close)...]
    }
    return text + rest
  }
}
