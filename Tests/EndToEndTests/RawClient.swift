// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation
import Testing

/// A client that sends bytes exactly as given and reads line by line, each with a deadline.
///
/// It knows nothing of `A11yClient`, so that the daemon is judged by the protocol alone.
final class RawClient {
  private var socket: FileDescriptor?
  private var received: [UInt8] = []
  private var piece = [UInt8](repeating: 0, count: 65_536)
  private var start = 0
  private var hasEnded = false

  init(_ path: String) throws { socket = try UnixStream.connect(path: path) }

  /// Closes the connection in full.
  func close() { socket = nil }

  /// Says that nothing more will come; answers still may.
  func endSending() throws { try socket?.shutdownSending() }
}

extension RawClient {
  /// Sends a line.
  func send(_ line: String) throws { try send(bytes: Array((line + "\n").utf8)) }

  /// Sends bytes as they are, waiting for room.
  func send(bytes: [UInt8]) throws {
    let sent = try offer(bytes, patience: .seconds(20))
    if sent < bytes.count { throw Missing("room for \(bytes.count - sent) bytes") }
  }

  /// Sends as long as there is room, or comes to be within `patience`; says how many bytes went.
  func offer(_ bytes: [UInt8], patience: Duration) throws -> Int {
    var sent = 0
    while sent < bytes.count {
      switch push(bytes, from: sent) {
      case .sent(let count): sent += count
      case .failed(let error): throw error
      case .wouldBlock:
        let wait = Deadline(after: patience).millisecondsLeft
        let ready = try socket?.waitReady(for: .writable, timeoutMilliseconds: wait)
        if ready?.isEmpty != false { return sent }
      }
    }
    return sent
  }

  /// Sends bytes and meanwhile reads, until all is sent and `count` lines have come.
  func converse(_ bytes: [UInt8], lines count: Int) throws -> [String] {
    let deadline = Deadline.usual
    var (sent, lines) = (0, [String]())
    while sent < bytes.count || lines.count < count {
      while let line = takeLine() { lines.append(line) }
      if sent < bytes.count, case .sent(let count) = push(bytes, from: sent) {
        sent += count
        continue
      }
      if lines.count < count { try read(until: deadline, orWritable: sent < bytes.count) }
      if hasEnded { throw Missing("\(count) lines; \(lines.count) came before the end") }
    }
    return lines
  }

  private func push(_ bytes: [UInt8], from start: Int) -> UnixStream.Sent {
    bytes.withUnsafeBytes { bytes in
      let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
      return socket?.send(rest) ?? .failed(.badFileDescriptor)
    }
  }
}

extension RawClient {
  /// The next line; nil where the daemon has closed.
  func lineOrEnd() throws -> String? {
    let deadline = Deadline.usual
    while true {
      if let line = takeLine() { return line }
      if hasEnded { return nil }
      try read(until: deadline, orWritable: false)
    }
  }

  /// The next line, which must come.
  func line() throws -> String { try #require(try lineOrEnd(), "the daemon has closed") }

  /// The next line, read.
  func answer() throws -> JSON { try JSON(line()) }

  /// All lines until the daemon closes.
  func linesUntilEnd() throws -> [String] {
    var lines: [String] = []
    while let line = try lineOrEnd() { lines.append(line) }
    return lines
  }

  /// Whether something has arrived that was not read yet; does not wait.
  func hasUnread() throws -> Bool {
    if start < received.count { return true }
    return try socket?.waitReady(for: .readable, timeoutMilliseconds: 0).isEmpty == false
  }

  private func takeLine() -> String? {
    let length: Int? = received.withUnsafeBytes { bytes in
      guard let rest = bytes.baseAddress?.advanced(by: start) else { return nil }
      return memchr(rest, 10, bytes.count - start).map { UnsafeRawPointer($0) - rest }
    }
    guard let length else { return nil }
    defer { start += length + 1 }
    return String(decoding: received[start..<(start + length)], as: UTF8.self)
  }

  /// Takes what has come, waiting for it.
  private func read(until deadline: Deadline, orWritable: Bool) throws {
    guard socket != nil else { return hasEnded = true }
    let interest: Readiness = orWritable ? [.readable, .writable] : .readable
    let wait = deadline.millisecondsLeft
    let ready = try socket?.waitReady(for: interest, timeoutMilliseconds: wait)
    if ready?.isEmpty != false { throw Missing("a line from the daemon") }
    if start > 1 << 20 {
      received.removeFirst(start)
      start = 0
    }
    let result = piece.withUnsafeMutableBytes { socket?.receive(into: $0) ?? .ended }
    switch result {
    case .bytes(let count): received += piece[..<count]
    case .wouldBlock: break
    case .ended, .failed: hasEnded = true
    }
  }
}

extension RawClient {
  /// Sends a line and reads the next one.
  func ask(_ line: String) throws -> JSON {
    try send(line)
    return try answer()
  }

  /// Publishes an event, given as JSON, and returns the answer.
  func publish(_ event: String, with fields: String = "") throws -> JSON {
    try ask(#"{"id":"p","op":"publish"\#(fields),"event":\#(event)}"#)
  }

  /// Publishes an event that must be accepted, and returns its seq.
  @discardableResult
  func publishAccepted(_ event: String, with fields: String = "") throws -> Int64 {
    let answer = try publish(event, with: fields)
    return try #require(answer["ok"]["seq"].integer, "\(event): \(answer)")
  }

  /// The seq of the last entry.
  func last() throws -> Int64 {
    let answer = try ask(#"{"id":"last","op":"ping"}"#)
    return try #require(answer["ok"]["last"].integer, "\(answer)")
  }

  /// Says who it is, which must be accepted, and returns what is promised.
  @discardableResult
  func hello(_ app: String, role: String? = nil) throws -> JSON {
    let role = role.map { #","role":"\#($0)""# } ?? ""
    let answer = try ask(#"{"id":"hello","op":"hello","app":"\#(app)"\#(role)}"#)
    try #require(answer["ok"].isThere, "\(answer)")
    return answer["ok"]
  }

  /// Subscribes, which must be accepted, and returns the cursor.
  @discardableResult
  func subscribe(_ fields: String = "") throws -> String {
    let answer = try ask(#"{"id":"subscribe","op":"subscribe"\#(fields)}"#)
    return try #require(answer["ok"]["cursor"].string, "\(answer)")
  }

  /// The next line that is an entry; marks before it are passed over.
  func entry() throws -> Entry {
    while true {
      let line = try line()
      if line.hasPrefix(#"{"seq":"#) { return try Entry(line) }
      try #require(line.hasPrefix(#"{"mark":"#), "neither entry nor mark: \(line)")
    }
  }

  /// The next line that is this mark, and the entries that came before it.
  func entriesUntil(mark: String) throws -> (entries: [Entry], mark: JSON) {
    var entries: [Entry] = []
    while true {
      let line = try line()
      if line.hasPrefix(#"{"seq":"#) {
        entries.append(try Entry(line))
      } else {
        let found = try JSON(line)
        if found["mark"] == .string(mark) { return (entries, found) }
        try #require(found["mark"].isThere, "neither entry nor mark: \(line)")
      }
    }
  }

  func entriesUntilCaughtUp() throws -> [Entry] { try entriesUntil(mark: "caught-up").entries }
}
