// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Keeps many announcements in flight, and counts the acknowledged ones.
final class Publisher {
  /// The most lines that are sent and not yet acknowledged.
  private let inFlight: Int
  let socket: Socket
  private let lines: Announcements
  private var rest: [UInt8] = []
  private var goal = 0
  private var sentBytes = 0
  private(set) var acknowledged = 0

  init(at path: String, lines: Announcements, inFlight: Int = 1_000) throws(BenchFailure) {
    socket = try Socket(connectingTo: path)
    self.lines = lines
    self.inFlight = inFlight
    socket.enlargeSendBuffer(to: Int32(2 * inFlight * lines.meanLength))
  }

  var isDone: Bool { acknowledged == goal }

  /// Adds to the events to be published.
  func plan(_ events: Int) {
    goal += events
  }

  /// Sends as many lines as may be in flight.
  ///
  /// A full socket ends the sending: its lines will be acknowledged, and each acknowledgement
  /// brings the publisher back here.
  func send() throws(BenchFailure) {
    let limit = lines.bytes(ofLines: min(goal, acknowledged + inFlight))
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

  /// Reads acknowledgements; each must be `ok` and name the wanted safety.
  func receiveAcknowledgements(through buffer: LineBuffer) throws(BenchFailure) {
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
