// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Keeps many announcements on their way and counts what is acknowledged.
final class Publisher {
  /// How many lines may be sent and not yet acknowledged.
  private let window: Int
  let socket: Socket
  private let lines: Announcements
  private var rest: [UInt8] = []
  private var goal = 0
  private var sentBytes = 0
  private(set) var acknowledged = 0

  init(at path: String, lines: Announcements, window: Int = 1_000) throws(BenchFailure) {
    socket = try Socket(connectingTo: path)
    self.lines = lines
    self.window = window
    socket.enlargeSendBuffer(to: Int32(2 * window * lines.meanLength))
  }

  var isDone: Bool { acknowledged == goal }

  /// Adds to what is to be published.
  func plan(_ events: Int) {
    goal += events
  }

  /// Sends what the window allows.
  ///
  /// When the socket is full nobody waits for room: the lines in it will be acknowledged, and
  /// each acknowledgement brings the publisher back here.
  func send() throws(BenchFailure) {
    let limit = lines.bytes(ofLines: min(goal, acknowledged + window))
    while sentBytes < limit {
      let start = sentBytes % lines.count
      let end = min(start + limit - sentBytes, lines.count)
      let sent = try lines.withBytes(start..<end) { bytes throws(BenchFailure) in
        try socket.offer(bytes)
      }
      guard let sent else { return }
      sentBytes += sent
    }
  }

  /// Reads acknowledgements; each must say `ok`, and what was asked for.
  func receive(through buffer: LineBuffer) throws(BenchFailure) {
    let open = try buffer.read(from: socket, rest: &rest) { line throws(BenchFailure) in
      guard case .success = ReceivedLine(line), lines.acknowledgement.isGiven(by: line) else {
        throw BenchFailure("a publisher was answered: \(quote(line))")
      }
      acknowledged += 1
    }
    guard open else {
      throw BenchFailure("a publisher was disconnected after \(acknowledged) events")
    }
    guard acknowledged <= goal else {
      throw BenchFailure("\(acknowledged) acknowledgements came for \(goal) events")
    }
  }
}
