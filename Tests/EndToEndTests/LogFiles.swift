// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// A log that the real daemon has written, in several segments, to be looked at and hurt.
final class LogFiles {
  private let daemon: RunningDaemon
  var path: String { daemon.state }
  var directory: ScratchDirectory { daemon.directory }

  static let tool = URL(filePath: DaemonProcess.program)
    .deletingLastPathComponent().appending(path: "a11yctl").path

  /// A log with so many announcements, of two apps in turn.
  init(announcements: Int = 900) throws {
    daemon = try RunningDaemon(config: "[log]\nsegment_bytes = \"64 KiB\"\n")
    let clients = try ["org.example.Mail", "org.example.Files"].map { app in
      let client = try daemon.connect()
      _ = try client.ask(#"{"id":1,"op":"hello","app":"\#(app)"}"#)
      return client
    }
    // In turns, so that segments end where they are full.
    for portion in 0..<9 {
      for (place, client) in clients.enumerated() {
        let texts = (0..<announcements / 18).map { "\(portion)/\(place)/\($0)" }
        let lines = texts.map {
          #"{"op":"publish","event":{"type":"announcement","text":"\#($0)","window":"main"}}"#
            + "\n"
        }
        try client.send(bytes: Array(lines.joined().utf8))
        _ = try client.last()
        // A full segment ends when the state at its beginning has been written, which a busy
        // machine delays.
        try waitUntil("the next segment") { try bytes(segments().count - 1).count < 65_536 }
      }
    }
    try daemon.stop()
  }

  /// Starts the daemon on it again.
  func start() throws -> RunningDaemon {
    try daemon.start()
    return daemon
  }

  // MARK: Looking

  /// Runs a command on it.
  func run(_ words: String...) throws -> (status: Int32, output: String) {
    try Command(Self.tool, ["log"] + words + ["--log", path]).run()
  }

  /// Runs a command on it that must end well.
  func output(_ words: String...) throws -> String {
    try Command(Self.tool, ["log"] + words + ["--log", path]).output()
  }

  /// The seqs that `log cat` prints.
  func printed(_ words: String...) throws -> [Int64] {
    try Command(Self.tool, ["log", "cat", "--json", "--log", path] + words).output()
      .split(separator: "\n").filter { $0.hasPrefix(#"{"seq""#) }.map { try Entry(String($0)).seq }
  }

  /// The gaps that `log cat` prints.
  func gaps() throws -> [String] {
    try output("cat", "--json").split(separator: "\n").map(String.init)
      .filter { $0.hasPrefix(#"{"mark""#) }
  }

  func segments() throws -> [String] { try daemon.segments() }

  func lines(_ index: Int) throws -> [String] {
    String(decoding: try bytes(index), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  func bytes(_ index: Int) throws -> Data { try Data(contentsOf: URL(filePath: file(index))) }

  func file(_ index: Int) throws -> String {
    let segments = try segments()
    try #require(segments.indices.contains(index), "the log has \(segments)")
    return "\(path)/\(segments[index])"
  }

  /// The last segment with entries; the one that is begun when the last entry has filled it has
  /// none.
  func last() throws -> Int {
    try #require(
      segments().indices.last { try lines($0).contains { $0.hasPrefix(#"{"seq""#) } }
    )
  }

  /// The seqs of a segment.
  func seqs(_ index: Int) throws -> ClosedRange<Int64> {
    let entries = try lines(index).filter { $0.hasPrefix(#"{"seq""#) }.map { try Entry($0).seq }
    return try #require(entries.first)...(try #require(entries.last))
  }

  // MARK: Hurting

  /// Changes the bytes of a segment.
  func change(_ index: Int, _ body: (inout Data) throws -> Void) throws {
    var data = try bytes(index)
    try body(&data)
    try data.write(to: URL(filePath: file(index)))
  }

  /// Where the line that begins like this begins in a segment.
  func offset(of start: String, in index: Int) throws -> Int {
    let data = try bytes(index)
    return try #require(data.firstRange(of: Data(("\n" + start).utf8))).lowerBound + 1
  }
}
