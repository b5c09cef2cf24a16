// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Checks lines against the JSON Schemas of `describe`, by a validator that is not ours.
package struct LineCheck {
  /// A line each about a line that is wrong.
  package let faults: [String]
  /// The members of entries, marks and replies that no line had.
  package let unseen: Set<String>

  /// Checks lines of a log or of both sides of a connection; `schemas` is the answer to `describe`.
  package init(_ lines: [String], schemas: String) throws {
    let directory = try ScratchDirectory()
    try Data(schemas.utf8).write(to: URL(filePath: directory("schemas")))
    try Data((lines.joined(separator: "\n") + "\n").utf8)
      .write(to: URL(filePath: directory("lines")))
    let output = try Self.output(["--unseen", directory("schemas"), directory("lines")])

    // Its last line is the sum; without it, the validator itself has failed.
    guard output.last?.hasSuffix(" faults.") == true else {
      throw Missing("the sum of faults; \(output.joined(separator: "\n"))")
    }
    let mark = "unseen: "
    faults = output.dropLast().filter { !$0.hasPrefix(mark) }
    unseen = Set(output.filter { $0.hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) })
  }

  private static func output(_ words: [String]) throws -> [String] {
    let tool = URL(filePath: #filePath).appending(path: "../../../tools/check-lines")
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", tool.standardizedFileURL.path] + words
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
