// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix

/// One thing that was looked at, with the findings about it: a test for programs that count tests.
struct Check: Equatable {
  /// The group that the check belongs to, such as an app.
  let group: String
  let name: String
  let isPassed: Bool
  let findings: [CheckFinding]

  /// A check with texts of strangers in it, which are made visible.
  init(_ group: String, _ name: String, isPassed: Bool, _ findings: [CheckFinding] = []) {
    self.group = VisibleText.of(group)
    self.name = VisibleText.of(name)
    self.isPassed = isPassed
    self.findings = findings
  }
}

/// A finding about a place, in words.
struct CheckFinding: Equatable {
  enum Level: String {
    case error, warning, notice
  }

  /// The place in a file, as far as it is known.
  struct Place: Equatable {
    let file: String
    var line: Int?
    var column: Int?
  }

  let level: Level
  /// A word for the kind of finding, such as `text.missing`.
  let code: String
  let place: Place?
  let message: String

  init(_ level: Level, _ code: String, at place: Place? = nil, _ message: String) {
    self.level = level
    self.code = code
    self.place = place
    self.message = VisibleText.of(message)
  }
}

extension String {
  /// The text with other words in the place of some characters.
  func escaped(_ table: [Unicode.Scalar: String]) -> String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if let words = table[scalar] {
        result.append(contentsOf: words.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}
