// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix

/// One connection of a browser: a request, its answer, and the end.
final class PageConnection {
  let descriptor: FileDescriptor
  /// The monotonic microseconds at which it began.
  let began: UInt64

  private var request: [UInt8] = []
  private var answer: [UInt8]?
  private var sent = 0

  init(_ descriptor: consuming FileDescriptor, began: UInt64) {
    self.descriptor = descriptor
    self.began = began
  }

  /// The readiness that it waits for.
  var interest: Readiness {
    answer.map { sent < $0.count } ?? false ? .writable : .readable
  }

  /// Reads on and answers, as far as that goes without waiting; false when it is over.
  func proceed(_ answering: ([UInt8]) -> [UInt8]?) -> Bool {
    while true {
      if let answer, sent < answer.count {
        let result = descriptor.send(answer.span.extracting(sent...))
        guard case .sent(let count) = result else { return result == .wouldBlock }
        sent += count
        // Closing at once would take the answer back from a browser that is still sending.
        if sent == answer.count { try? descriptor.shutdownSending() }
        continue
      }
      var room = [UInt8](repeating: 0, count: 4_096)
      switch room.withUnsafeMutableBytes({ descriptor.receive(into: $0) }) {
      case .bytes(let count):
        guard answer == nil else { continue }
        request += room[..<count]
        answer = answering(request)
      case .wouldBlock: return true
      case .ended, .failed: return false
      }
    }
  }
}
