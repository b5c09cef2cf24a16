// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yModel
import A11yRules
import A11yWire
import Testing

@testable import A11yPresenter

/// Events that belong together have one key, and all others have another.
@Suite struct KeyTests {
  private static let mail = AppKey(uid: 1_000, app: Name("mail"))

  /// Each of them is about something else than all others.
  private static let keys: [Key] = [
    Key("rate", mail),
    Key("text", mail),
    Key("rate", AppKey(uid: 1_001, app: Name("mail"))),
    Key("rate", AppKey(uid: 1_000, app: Name("files"))),
    Key("rate", mail, window: Name("a")),
    Key("rate", mail, element: Name("a")),
    Key("rate", mail, key: Name("a")),
    Key("rate", mail, window: Name("a"), element: Name("b")),
    Key("rate", mail, window: Name("ab")),
    Key("rate", mail, window: Name("a"), key: Name("b")),
    Key("rate", mail, window: Name("b"), element: Name("a")),
    Key("ratea", mail),
    Key("", mail),
  ]

  @Test func `each part tells keys apart`() {
    for (a, one) in Self.keys.enumerated() {
      for (b, other) in Self.keys.enumerated() {
        #expect((one == other) == (a == b), "\(a) and \(b)")
      }
    }
  }

  /// Names whose last bytes look like the end of a shorter one.
  private static let windows =
    ["", "abcdefg", "gfedcba\u{7}", "abcdefgh"].map { $0 as String? } + [
      nil, "abcdefgh\u{8}", String(repeating: "a", count: 15), String(repeating: "a", count: 16),
      String(repeating: "a", count: 127), String(repeating: "a", count: 128),
    ]

  @Test func `names do not run into each other`() {
    var prints: Set<Fingerprint> = []
    for window in Self.windows {
      for element in Self.windows {
        prints.insert(
          Key("rate", Self.mail, window: window.map(Name.init), element: element.map(Name.init))
            .print
        )
      }
    }

    #expect(prints.count == Self.windows.count * Self.windows.count)
  }

  @Test func `equal keys have equal marks`() {
    for window in ["w", "a window with a long name", "é"] {
      let one = Key("rate", Self.mail, window: Name(window))
      let other = Key("rate", AppKey(uid: 1_000, app: Name("mail")), window: Name(window))

      #expect(one == other)
      #expect(one.mark == other.mark)
    }
  }
}
