// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A connection on which requests are sent, and answered with `ok`.
final class Asker {
  private let socket: Socket
  private var rest: [UInt8] = []
  private var answered = 0

  init(at path: String) throws(BenchFailure) { socket = try Socket(connectingTo: path) }

  /// Sends `count` requests, and waits until each is answered.
  func ask(_ lines: String, count: Int, through buffer: LineBuffer) throws(BenchFailure) {
    try socket.deliver(lines)
    let goal = answered + count
    var interest = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
    while answered < goal {
      guard poll(&interest, 1, Poller.patienceMilliseconds) > 0 else {
        throw BenchFailure("a request was not answered")
      }
      let open = try buffer.read(from: socket, rest: &rest) { line throws(BenchFailure) in
        guard case .success = ReceivedLine(line) else {
          throw BenchFailure("a request was answered: \(quote(line))")
        }
        answered += 1
      }
      guard open else { throw BenchFailure("a connection with requests was closed") }
    }
  }

  /// Sends the same request again and again, each when the one before is answered.
  func ask(_ line: String, times: Int, through buffer: LineBuffer) throws(BenchFailure) {
    for _ in 0..<times { try ask(line, count: 1, through: buffer) }
  }

  /// Sends requests without waiting for the answers.
  func sendLines(_ lines: String) throws(BenchFailure) { try socket.deliver(lines) }

  /// Reads answers without waiting, and returns the number of all answers so far.
  func pollAnswers(through buffer: LineBuffer) throws(BenchFailure) -> Int {
    _ = try buffer.read(from: socket, rest: &rest) { line throws(BenchFailure) in
      guard case .success = ReceivedLine(line) else {
        throw BenchFailure("a request was answered: \(quote(line))")
      }
      answered += 1
    }
    return answered
  }
}
