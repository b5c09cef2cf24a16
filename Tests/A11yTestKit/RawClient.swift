// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPosix
import Foundation

/// A client that sends bytes exactly as given and reads line by line, each with a deadline.
///
/// It knows nothing of `A11yClient`, so that the daemon is judged by the protocol alone.
package final class RawClient {
  private var socket: FileDescriptor?
  private var received: [UInt8] = []
  private var piece = [UInt8](repeating: 0, count: 65_536)
  private var start = 0
  private var hasEnded = false

  package init(_ path: String) throws { socket = try UnixStream.connect(path: path) }

  /// Closes the connection in full.
  package func close() { socket = nil }

  /// Says that nothing more will come; answers still may.
  package func endSending() throws { try socket?.shutdownSending() }
}

extension RawClient {
  /// Sends a line.
  package func send(_ line: String) throws { try send(bytes: Array((line + "\n").utf8)) }

  /// Sends bytes as they are, waiting for room.
  package func send(bytes: [UInt8]) throws {
    let sent = try offer(bytes, patience: .seconds(20))
    if sent < bytes.count { throw Missing("room for \(bytes.count - sent) bytes") }
  }

  /// Sends as long as there is room, or comes to be within `patience`; says how many bytes went.
  package func offer(_ bytes: [UInt8], patience: Duration) throws -> Int {
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
  package func converse(_ bytes: [UInt8], lines count: Int) throws -> [String] {
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
  package func lineOrEnd() throws -> String? {
    let deadline = Deadline.usual
    while true {
      if let line = takeLine() { return line }
      if hasEnded { return nil }
      try read(until: deadline, orWritable: false)
    }
  }

  /// The next line, which must come.
  package func line() throws -> String { try there(lineOrEnd(), "a line; the daemon has closed") }

  /// The next line, read.
  package func answer() throws -> JSON { try JSON(line()) }

  /// All lines until the daemon closes.
  package func linesUntilEnd() throws -> [String] {
    var lines: [String] = []
    while let line = try lineOrEnd() { lines.append(line) }
    return lines
  }

  /// Whether something has arrived that was not read yet; does not wait.
  package func hasUnread() throws -> Bool {
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
  package func ask(_ line: String) throws -> JSON {
    try send(line)
    return try answer()
  }

  /// Publishes an event, given as JSON, and returns the answer.
  package func publish(_ event: String, with fields: String = "") throws -> JSON {
    try ask(#"{"id":"p","op":"publish"\#(fields),"event":\#(event)}"#)
  }

  /// Publishes an event that must be accepted, and returns its seq.
  @discardableResult
  package func publishAccepted(_ event: String, with fields: String = "") throws -> Int64 {
    let answer = try publish(event, with: fields)
    return try there(answer["ok"]["seq"].integer, "\(event): \(answer)")
  }

  /// The seq of the last entry.
  package func last() throws -> Int64 {
    let answer = try ask(#"{"id":"last","op":"ping"}"#)
    return try there(answer["ok"]["last"].integer, "\(answer)")
  }

  /// Says who it is, which must be accepted, and returns what is promised.
  @discardableResult
  package func hello(_ app: String, role: String? = nil) throws -> JSON {
    let role = role.map { #","role":"\#($0)""# } ?? ""
    let answer = try ask(#"{"id":"hello","op":"hello","app":"\#(app)"\#(role)}"#)
    guard answer["ok"].isThere else { throw Missing("ok in \(answer)") }
    return answer["ok"]
  }

  /// Subscribes, which must be accepted, and returns the cursor.
  @discardableResult
  package func subscribe(_ fields: String = "") throws -> String {
    let answer = try ask(#"{"id":"subscribe","op":"subscribe"\#(fields)}"#)
    return try there(answer["ok"]["cursor"].string, "\(answer)")
  }

  /// A value that must be there.
  private func there<Value>(_ value: Value?, _ words: @autoclosure () -> String) throws -> Value {
    guard let value else { throw Missing(words()) }
    return value
  }
}
