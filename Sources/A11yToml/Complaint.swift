// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix

/// A mistake at one place of a file, in a form that editors jump to and that reads well aloud.
package struct Complaint: Equatable, Sendable, CustomStringConvertible {
  package let fileName: String
  /// Nil where the whole file is meant.
  package let line: Int?
  package let column: Int?
  package let words: String

  package init(_ fileName: String, line: Int? = nil, column: Int? = nil, _ words: String) {
    self.fileName = fileName
    self.line = line
    self.column = column
    // They quote the file, in which anything of any length may stand.
    self.words = VisibleText.of(words.shortened(toScalars: Self.longest))
  }

  private static let longest = 1_000

  package var description: String {
    guard let line, let column else { return "\(fileName): \(words)" }
    return "\(fileName):\(line):\(column): \(words)"
  }
}

/// Everything that is wrong with one or more files, so that one look is enough to put it right.
package struct Complaints: Error, Equatable, Sendable, CustomStringConvertible {
  package let all: [Complaint]

  /// Whether a file has more than one may have, so that nothing of it counts.
  package let isTooLarge: Bool

  /// How many mistakes are told of one file; nothing is read behind them.
  package static let most = 100

  package init(_ all: [Complaint]) {
    self.all = all
    isTooLarge = false
  }

  package init(_ only: Complaint, isTooLarge: Bool = false) {
    self.all = [only]
    self.isTooLarge = isTooLarge
  }

  /// The first complaints in one sentence, for a status or a journal that others write to as well.
  package var sentence: String {
    let words = all.prefix(Self.told).map(\.description).joined(separator: "; ")
    let more = all.count - Self.told
    return more > 0 ? "\(words); and \(more) more" : words
  }

  private static let told = 8

  /// One complaint a line.
  package var description: String { all.map(\.description).joined(separator: "\n") }
}

extension String {
  /// The text, or its beginning where it is longer than that.
  package func shortened(toScalars most: Int) -> String {
    unicodeScalars.count > most
      ? String(UnicodeScalarView(unicodeScalars.prefix(most))) + "…" : self
  }
}
