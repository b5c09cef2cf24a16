// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The files of the repository, as they lie there, without what is built or belongs to git.
struct Tree {
  struct File: Sendable, CustomTestStringConvertible {
    let path: String
    let text: String

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
    var testDescription: String { path }
    /// “Sources/A11yWire” of a path in it.
    var room: String { path.split(separator: "/").prefix(2).joined(separator: "/") }

    /// The numbers of the lines that match, for the words of a failure.
    func places(_ matches: (Substring) -> Bool) -> [String] {
      lines.enumerated().filter { matches($0.element) }.map { "\(path):\($0.offset + 1)" }
    }
  }

  static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

  /// Everything below these folders that is text, sorted by path.
  static func files(below folders: String..., named ends: [String] = []) throws -> [File] {
    try folders.flatMap { folder -> [File] in
      let start = root.appending(path: folder)
      guard
        let paths = FileManager.default.enumerator(
          at: start,
          includingPropertiesForKeys: [.isRegularFileKey]
        )
      else { return [] }
      return try paths.compactMap { $0 as? URL }
        .filter { try $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true }
        .filter { url in ends.isEmpty || ends.contains { url.path.hasSuffix($0) } }
        .compactMap { url in
          guard let text = try? String(contentsOf: url, encoding: .utf8) else { return nil }
          return File(path: String(url.path.dropFirst(root.path.count + 1)), text: text)
        }
    }
    .sorted { $0.path < $1.path }
  }

  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appending(path: path).path)
  }

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }
}
