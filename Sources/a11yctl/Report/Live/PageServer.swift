// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yHttp
import A11yPosix
import Glibc

/// Serves one page on the loopback, to those who know its address.
///
/// Everybody on the machine can reach the port, so the path is a token of 128 random bits, and a
/// request with any other path is answered with nothing but a refusal.
final class PageServer {
  /// A version of the page.
  struct Page {
    /// The version's name, which changes with the page.
    let version: String
    /// The value by which the page's own style and script may run, and nothing else.
    let nonce: String
    /// The bytes; made only when they are asked for.
    let bytes: () -> [UInt8]
  }

  /// The address of the page.
  let address: String
  /// A descriptor that is readable when there is something to serve, or a signal to end.
  var readiness: FileDescriptor { FileDescriptor(adopting: dup(poll.descriptor.number)) }

  private let poll: Poll
  private let reception: HttpReception
  private let served: Served
  private let signals: AwaitedSignals?
  private var events = Poll.Events(capacity: 2)

  /// The page as it is now.
  private final class Served {
    var page: Page?
  }

  private enum Token {
    static let reception: UInt64 = 0
    static let signals: UInt64 = 1
  }

  /// A server that also waits for signals that end it.
  init(endedBy signals: AwaitedSignals?) throws(Errno) {
    let (door, place) = try LoopbackAddress.listenAtFreePort()
    let path = "/\(Machine.randomHex128())/"
    address = "http://\(place)\(path)"
    let served = Served()
    reception = try HttpReception([door]) { head in
      served.page.map { PageAnswer.bytes(to: head, host: "\(place)", path: path, $0) } ?? []
    }
    (self.served, self.signals) = (served, signals)
    poll = try Poll()
    try poll.add(reception.poll.descriptor, token: Token.reception, interest: .readable)
    guard let signals else { return }
    try poll.add(signals.descriptor, token: Token.signals, interest: .readable)
  }

  /// Serves those who wait; false when a signal asks for the end.
  func attend(_ page: Page, now: UInt64 = SystemClock.monotonicMicroseconds()) -> Bool {
    served.page = page
    reception.expire(at: now)
    try? reception.attend(at: now)
    let count = (try? poll.wait(into: &events, timeoutMilliseconds: 0)) ?? 0
    return !(0..<count).contains { events[$0].token == Token.signals }
  }
}
