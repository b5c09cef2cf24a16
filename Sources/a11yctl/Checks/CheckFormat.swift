// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A form in which checks are printed for other programs.
enum CheckFormat: String, CaseIterable {
  /// Sentences, in the words of each command.
  case text
  /// The Test Anything Protocol, as far as its versions 13 and 14 are one.
  case tap
  /// The XML of JUnit.
  case junit
  /// Workflow commands of GitHub, which become annotations.
  case github

  static let flag = Flag(
    "format",
    "FORMAT",
    "text, which is usual, or for other programs tap, junit or github"
  )

  /// The lines that tell these checks, of a suite with a name; nil for text.
  func rows(_ checks: [Check], of suite: String) -> [String]? {
    switch self {
    case .text: nil
    case .tap: TapWords.report(checks)
    case .junit: JUnitWords.document(checks, of: suite)
    case .github: GitHubWords.commands(checks)
    }
  }

  /// Prints checks, and tells whether that was done; text is left to the command.
  func present(_ checks: [Check], of suite: String, to output: Output) -> Bool {
    guard let lines = rows(checks, of: suite) else { return false }
    for line in lines { output.line(line) }
    return true
  }
}

extension CommandWords {
  /// The form of the output.
  func format() throws(Failure) -> CheckFormat {
    try choice("format", CheckFormat.self) ?? .text
  }
}
