// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A server of Redis that answers each command with the same refusal.
final class RefusingServer {
  let port: Int
  private let listener: Int32

  init(_ refusal: String) throws {
    let (listener, port) = try EngineSocket.listen()
    (self.listener, self.port) = (listener, port)
    let answer = Array("-\(refusal)\r\n".utf8)
    Thread.detachNewThread {
      while true {
        let near = accept(listener, nil, nil)
        guard near >= 0 else { return }
        var piece = [UInt8](repeating: 0, count: 65_536)
        // Each command comes in one piece, since its sender waits for the answer.
        while recv(near, &piece, piece.count, 0) > 0 {
          guard send(near, answer, answer.count, Int32(MSG_NOSIGNAL)) > 0 else { break }
        }
        close(near)
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }
}
