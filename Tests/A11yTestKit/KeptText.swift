// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file of the tree that has what a test computes: sentences that programs print, or an example
/// in a document.
///
/// With `A11Y_UPDATE=1` in the environment the file is written anew, and `git diff` shows what a
/// change means for those who read it; without it, a difference is a failure.
package struct KeptText {
  private let path: String
  private let url: URL

  package init(_ path: String) {
    self.path = path
    url = URL(filePath: #filePath).appending(path: "../../../\(path)").standardizedFileURL
  }

  /// What the file has; nothing where there is none yet.
  package var text: String { (try? String(contentsOf: url, encoding: .utf8)) ?? "" }

  /// The first line that is not as computed, in words; nil where all are.
  package func difference(from computed: String) throws -> String? {
    guard computed != text else { return nil }
    if ProcessInfo.processInfo.environment["A11Y_UPDATE"] == "1" {
      try computed.write(to: url, atomically: true, encoding: .utf8)
      return nil
    }
    let kept = text.split(separator: "\n", omittingEmptySubsequences: false)
    let lines = computed.split(separator: "\n", omittingEmptySubsequences: false)
    let place = zip(kept, lines).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    let line = place ?? min(kept.count, lines.count)
    return """
      \(path):\(line + 1) has:  \(line < kept.count ? kept[line] : "nothing")
      computed is:  \(line < lines.count ? lines[line] : "nothing")
      A11Y_UPDATE=1 writes what is computed.
      """
  }

  /// The same of a file that has below each line of JSON what is computed of it, indented.
  ///
  /// `heading` is the last line before it that begins with a number sign. All lines but the
  /// computed ones stay as they are, so that a new case is one line and an update.
  package func difference(
    below compute: (_ heading: String, _ line: String) throws -> [String]
  ) throws -> String? {
    var (computed, heading) = ("", "")
    // A file that is missing, or has no case, would pass.
    let kept = try String(contentsOf: url, encoding: .utf8)
    guard kept.contains("\n{") || kept.hasPrefix("{") else { return "\(path) has no case." }
    for line in kept.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    where !line.hasPrefix("  ") {
      computed += "\(line)\n"
      if line.hasPrefix("#") { heading = String(line) }
      guard line.hasPrefix("{") else { continue }
      for told in try compute(heading, String(line)) { computed += "  \(told)\n" }
    }
    return try difference(from: computed)
  }
}
