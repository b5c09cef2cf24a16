// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Foundation

/// A client as anybody could write one: it sends a line and waits for a line.
///
/// It knows nothing of `A11yClient`, so that the daemon is judged by the protocol alone.
final class LineClient {
  private let socket: FileDescriptor
  private var received: [UInt8] = []

  /// Connects, or throws where nobody listens.
  init(_ path: String) throws(Errno) { socket = try UnixStream.connect(path: path) }

  /// Sends a line and returns the next that comes; nil where the other side has closed.
  func ask(_ line: String) throws -> [String: Any]? {
    guard send(line) else { return nil }
    return try next()
  }

  /// Whether the line could be sent.
  func send(_ line: String) -> Bool {
    let bytes = Array((line + "\n").utf8)
    return bytes.withUnsafeBytes { socket.send($0) } == .sent(bytes.count)
  }

  /// The next line; nil where the other side has closed, or says nothing for half a minute.
  func next() throws -> [String: Any]? {
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Data(received[..<end])
        received.removeFirst(end + 1)
        return try JSONSerialization.jsonObject(with: line) as? [String: Any]
      }
      if try socket.waitReady(for: .readable, timeoutMilliseconds: 30_000).isEmpty { return nil }
      switch piece.withUnsafeMutableBytes({ socket.receive(into: $0) }) {
      case .bytes(let count): received += piece[..<count]
      case .wouldBlock: continue
      case .ended, .failed: return nil
      }
    }
  }
}

extension LineClient {
  /// Whether the daemon answers.
  func isAnswered() throws -> Bool {
    let reply = try ask(#"{"id":1,"op":"ping"}"#)
    return reply?["id"] as? Int == 1 && reply?["ok"] != nil
  }
}
