// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import A11yRules

/// Texts that differ in anything are told apart.
@Suite struct FingerprintTests {
  @Test func `length and every byte count, zeros among them`() {
    var prints: Set<Fingerprint> = [Fingerprint([UInt8]().span)]
    var texts = 1
    for length in 1...40 {
      var all: [[UInt8]] = [[UInt8](repeating: 0, count: length)]
      for place in 0..<length {
        var text = [UInt8](repeating: 0, count: length)
        text[place] = 97
        all.append(text)
      }
      for text in all { prints.insert(Fingerprint(text.span)) }
      texts += all.count
    }
    #expect(prints.count == texts)
  }

  /// An earlier print, a multiplication for each word, was the same for both; a search of ten
  /// minutes had found them.
  @Test func `texts that were chosen to collide are told apart`() {
    let one = Array("[7\\T:SBAafeffcbbyT&VH\u{10}G\u{17}".utf8)
    let other = Array("J\">XQX'Kfhafgffd\u{18}rrdMK7Z".utf8)
    #expect(one.count == 24 && other.count == 24)
    #expect(Fingerprint(one.span) != Fingerprint(other.span))
  }
}
