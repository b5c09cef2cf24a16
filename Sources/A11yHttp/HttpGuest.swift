// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix

/// A connection of HTTP, from its request to its end.
final class HttpGuest {
  private enum Stage {
    case asking
    case answering([UInt8], sent: Int)
    /// All is said; the peer may still be sending, and would lose the answer if we closed.
    case leaving
    case gone
  }

  /// The name by which the kernel tells of this connection.
  let token: UInt64
  /// When its time is up.
  let deadline: UInt64
  let socket: FileDescriptor
  private var request: [UInt8] = []
  private var stage = Stage.asking
  /// The readiness that the kernel was last told to watch for.
  var interest: Readiness = []

  init(_ socket: consuming FileDescriptor, token: UInt64, deadline: UInt64) {
    self.socket = socket
    self.token = token
    self.deadline = deadline
  }

  /// The readiness that it waits for; nil where there is nothing left to do.
  var wanted: Readiness? {
    switch stage {
    case .asking, .leaving: .readable
    case .answering: .writable
    case .gone: nil
    }
  }

  /// Goes on as far as the socket lets it.
  func proceed(_ answer: (HttpHead) -> [UInt8]) {
    if case .asking = stage { receiveRequest(answer) }
    if case .answering(let bytes, let sent) = stage { sendAnswer(bytes, from: sent) }
    if case .leaving = stage { discardInput() }
  }

  /// Answers half a request whose time is up, if the peer takes that at once.
  func dismiss(_ answer: (HttpHead) -> [UInt8]) {
    guard case .asking = stage, !request.isEmpty else { return }
    stage = .answering(answer(.late), sent: 0)
    if case .answering(let bytes, let sent) = stage { sendAnswer(bytes, from: sent) }
  }

  private func receiveRequest(_ answer: (HttpHead) -> [UInt8]) {
    let room = HttpHead.bytes - request.count
    var piece = [UInt8](repeating: 0, count: room)
    switch piece.withUnsafeMutableBytes({ socket.receive(into: $0) }) {
    case .bytes(let count):
      request += piece[..<count]
      let head = HttpHead(request)
      if head != .incomplete { stage = .answering(answer(head), sent: 0) }
    case .wouldBlock: break
    case .ended where !request.isEmpty: stage = .answering(answer(.malformed), sent: 0)
    case .ended, .failed: stage = .gone
    }
  }

  private func sendAnswer(_ bytes: [UInt8], from sent: Int) {
    switch socket.send(bytes.span.extracting(sent...)) {
    case .sent(let count) where sent + count < bytes.count:
      stage = .answering(bytes, sent: sent + count)
    case .sent:
      stage = (try? socket.shutdownSending()) == nil ? .gone : .leaving
    case .wouldBlock: break
    case .failed: stage = .gone
    }
  }

  /// Reads the rest of the peer's words, until it has none.
  private func discardInput() {
    var piece = [UInt8](repeating: 0, count: HttpHead.bytes)
    switch piece.withUnsafeMutableBytes({ socket.receive(into: $0) }) {
    case .bytes, .wouldBlock: break
    case .ended, .failed: stage = .gone
    }
  }
}
