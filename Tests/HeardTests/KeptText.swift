// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A file of the tree that has what a test computes: sentences that programs print, or an example
/// in a document.
///
/// With `A11Y_UPDATE=1` in the environment the file is written anew, and `git diff` shows what a
/// change means for those who read it; without it, a difference is a failure.
struct KeptText {
  private let path: String
  private let url: URL

  init(_ path: String) {
    self.path = path
    url = URL(filePath: #filePath).appending(path: "../../../\(path)").standardizedFileURL
  }

  /// What the file has; nothing where there is none yet.
  var text: String { (try? String(contentsOf: url, encoding: .utf8)) ?? "" }

  func expect(
    _ computed: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    guard computed != text else { return }
    if ProcessInfo.processInfo.environment["A11Y_UPDATE"] == "1" {
      try computed.write(to: url, atomically: true, encoding: .utf8)
      return
    }
    let kept = text.split(separator: "\n", omittingEmptySubsequences: false)
    let lines = computed.split(separator: "\n", omittingEmptySubsequences: false)
    let place = zip(kept, lines).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    let line = place ?? min(kept.count, lines.count)
    Issue.record(
      """
      \(path):\(line + 1) has:  \(line < kept.count ? kept[line] : "nothing")
      computed is:  \(line < lines.count ? lines[line] : "nothing")
      A11Y_UPDATE=1 writes what is computed.
      """,
      sourceLocation: sourceLocation
    )
  }
}
