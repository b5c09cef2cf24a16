// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yLog
import A11yTestKit
import A11yWire

/// The files of a log's directory, made of any bytes.
///
/// Files stand one behind the other, with an FF between them. The first line of each is its name: a
/// number for the segment that begins with it, the number and an `s` for the state beside it, `w`
/// for the watermark, anything else for itself; behind a `/` there is no file but a folder. The
/// rest is what is in it; a line that ends in `~` gets the checksum that is right.
enum LogDirectory {
  static func disk(_ input: [UInt8]) -> MemoryDisk {
    let disk = MemoryDisk()
    for part in input.split(separator: 0xff) {
      let lines = part.split(separator: 10, maxSplits: 1, omittingEmptySubsequences: false)
      let word = String(decoding: lines[0], as: UTF8.self)
      let isFolder = word.hasPrefix("/")
      let name = name(isFolder ? String(word.dropFirst()) : word)
      guard !disk.names.contains(name) else { continue }
      if isFolder {
        try? disk.makeFolder(name)
      } else {
        let content = lines.count > 1 ? Array(lines[1]).withChecksums : []
        disk[name] = word == "w" ? slots(content) : content
      }
    }
    return disk
  }

  private static func name(_ word: String) -> String {
    if word == "w" { return Watermark.name }
    let digits = word.hasSuffix("s") ? word.dropLast() : word[...]
    if let number = Int64(digits), number > 0 {
      return word.hasSuffix("s") ? SegmentName.state(Seq(number)) : SegmentName.entries(Seq(number))
    }
    // In this directory and no other.
    return String(word.map { $0 == "/" ? "|" : $0 })
  }

  /// Lines as the watermark's file has them: each fills a sector.
  private static func slots(_ content: [UInt8]) -> [UInt8] {
    content.split(separator: 10, omittingEmptySubsequences: false).flatMap { line in
      let line = Array(line.prefix(511))
      return line + [UInt8](repeating: 32, count: 511 - line.count) + [10]
    }
  }
}
