// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation

/// An agent that tails the files of a log by the promise of docs/log.md alone, and notes where a
/// file breaks it.
struct LogTail {
  private struct File {
    let inode: UInt64
    var bytes: Data
    /// The bytes up to the end of the last whole line.
    var taken = 0
  }

  private let directory: String
  private var files: [String: File] = [:]
  private var epoch = ""
  /// The lines by epoch and seq, the later copy in the place of an earlier one.
  private(set) var entries: [String: String] = [:]
  /// The seqs of which a later copy came that differs.
  private(set) var changed: Set<Int64> = []
  private(set) var mistakes: [String] = []
  /// The files that have become shorter, as is allowed behind a kill.
  private(set) var cuts: [String] = []

  init(_ directory: String) { self.directory = directory }

  /// Reads what came since the last look.
  mutating func look() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: directory)
      .filter { $0.wholeMatch(of: /[0-9]{20}\.ndjson/) != nil }.sorted()
    for name in names {
      let path = "\(directory)/\(name)"
      // A file may be replaced between the listing and the reading.
      guard let handle = FileHandle(forReadingAtPath: path) else { continue }
      var status = stat()
      guard fstat(handle.fileDescriptor, &status) == 0 else { continue }
      let bytes = handle.readDataToEndOfFile()
      take(name, UInt64(status.st_ino), bytes)
    }
  }

  private mutating func take(_ name: String, _ inode: UInt64, _ bytes: Data) {
    var file = File(inode: inode, bytes: Data())
    if let known = files[name], known.inode == inode { file = known }
    let old = file.bytes.prefix(file.taken)
    if bytes.count < old.count, old.starts(with: bytes) {
      cuts.append(name)
      file.taken = bytes.count
    } else if bytes.prefix(old.count) != old {
      return mistakes.append("\(name): a line has changed in its place")
    }
    file.bytes = bytes
    while let end = bytes[file.taken...].firstIndex(of: UInt8(ascii: "\n")) {
      let line = String(decoding: bytes[file.taken..<end], as: UTF8.self)
      if end - file.taken > 262_144 { mistakes.append("\(name): a line is too long") }
      take(line, of: name, isFirst: file.taken == 0)
      file.taken = end + 1
    }
    files[name] = file
  }

  private mutating func take(_ line: String, of name: String, isFirst: Bool) {
    guard let content = try? JSON(line) else { return mistakes.append("\(name): no JSON: \(line)") }
    if isFirst {
      if content["first"].integer != Int64(name.prefix(20)) {
        mistakes.append("\(name): its header begins with another seq")
      }
      epoch = content["epoch"].string ?? ""
    } else if line.hasPrefix("{\"seq\":"), let seq = content["seq"].integer {
      if content["event"]["type"] == "opened" { epoch = content["event"]["epoch"].string ?? "" }
      takeEntry(seq, content, line, of: name)
    } else if !line.hasPrefix("{\"closed\":") {
      mistakes.append("\(name): neither an entry nor the end: \(line)")
    }
  }

  private mutating func takeEntry(_ seq: Int64, _ entry: JSON, _ line: String, of name: String) {
    let key = "\(epoch):\(seq)"
    defer { entries[key] = line }
    guard let before = entries[key], before != line else { return }
    changed.insert(seq)
    let isForgotten = entry["event"] == JSON.object(["type": "forgotten"])
    let isSamePlace = (try? JSON(before))?["time"] == entry["time"]
    if !isForgotten || !isSamePlace { mistakes.append("\(name): \(seq) has changed to \(line)") }
  }

  /// The entries by seq; a log that lives once gives each seq once.
  func lines() throws -> [Int64: JSON] {
    try Dictionary(
      entries.values.map { line in
        let entry = try JSON(line)
        return (entry["seq"].integer ?? 0, entry)
      }
    ) { $1 }
  }
}
