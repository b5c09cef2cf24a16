// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yLog
import A11yPosix
import A11yWire

@testable import A11yDaemon

/// A client in memory: what it says, how much it takes and when it goes is said by the test.
final class HandLink: Link {
  private var token: UInt64?
  private var interest: Readiness = []
  private var said: [UInt8] = []
  private var hasEnded = false
  /// Nobody is there any more.
  private var isGone = false
  /// How much it takes until it has to read again.
  private var size: Int
  private var room: Int
  private var received: [UInt8] = []
  /// The bytes that were handed to it as a stretch of a file.
  private(set) var bytesFromFiles = 0
  /// Called whenever it has taken bytes.
  var onReceived: () -> Void = {}

  init(size: Int) {
    self.size = size
    room = size
  }

  // MARK: As the test sees it

  func say(_ lines: String...) {
    for line in lines { said += Array((line + "\n").utf8) }
  }

  /// Says no more, and still listens.
  func end() { hasEnded = true }

  /// Is closed in full.
  func close() {
    hasEnded = true
    isGone = true
  }

  /// From now on it takes so much until it has to read again.
  func resize(_ size: Int) { self.size = size }

  /// Makes room for more.
  func read() { room = size }

  /// The lines that have come whole since the last time.
  func takeLines() -> [String] {
    guard let end = received.lastIndex(of: 10) else { return [] }
    let whole = received[...end].split(separator: 10)
    received.removeSubrange(...end)
    return whole.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The readiness that the kernel would tell the bus; nil where the link is not ready.
  var ready: Ready? {
    var readiness: Readiness = []
    if !said.isEmpty || hasEnded { readiness.insert(.readable) }
    if room > 0 { readiness.insert(.writable) }
    readiness.formIntersection(interest)
    if isGone { readiness.insert(.hangUp) }
    guard let token, !readiness.isEmpty else { return nil }
    return Ready(token: token, readiness: readiness)
  }

  // MARK: As the bus sees it

  func receive(into buffer: UnsafeMutableRawBufferPointer) -> UnixStream.Received {
    if said.isEmpty { return hasEnded ? .ended : .wouldBlock }
    let count = min(said.count, buffer.count)
    buffer.copyBytes(from: said[..<count])
    said.removeFirst(count)
    return .bytes(count)
  }

  func send(_ bytes: Span<UInt8>) -> UnixStream.Sent {
    if isGone { return .failed(.brokenPipe) }
    let count = min(room, bytes.count)
    guard count > 0 else { return .wouldBlock }
    for index in 0..<count { received.append(bytes[index]) }
    room -= count
    onReceived()
    return .sent(count)
  }

  func send(from file: any DiskFile, at offset: Int64, count: Int) throws(Errno) -> Int {
    let sent = try sendCopy(from: file, at: offset, count: count)
    bytesFromFiles += sent
    return sent
  }

  func watch(for interest: Readiness, as token: UInt64) throws(Errno) {
    self.token = token
    self.interest = interest
  }
}
