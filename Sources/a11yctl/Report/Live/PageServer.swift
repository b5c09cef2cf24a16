// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire
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

  /// The most connections; with one more, the oldest is closed.
  ///
  /// A browser has one at a time.
  static let most = 16
  /// The time for a request and its answer, in microseconds; it is looked at when something else
  /// happens.
  static let longest: UInt64 = 10_000_000

  private enum Token {
    static let listener: UInt64 = 0
    static let signals: UInt64 = 1
    static let firstConnection: UInt64 = 2
  }

  /// The address of the page.
  let address: String
  /// A descriptor that is readable when there is something to serve, or a signal to end.
  var readiness: FileDescriptor { FileDescriptor(adopting: dup(poll.descriptor.number)) }

  private let path: String
  private let poll: Poll
  private let listener: LoopbackListener
  private let signals: AwaitedSignals?
  private var events = Poll.Events(capacity: 32)
  private var connections: [(token: UInt64, connection: PageConnection)] = []
  private var nextToken = Token.firstConnection

  /// A server that also waits for signals that end it.
  init(endedBy signals: AwaitedSignals?) throws(Errno) {
    poll = try Poll()
    listener = try LoopbackListener(backlog: Int32(Self.most))
    self.signals = signals
    path = "/\(Machine.randomHex128())/"
    address = "http://127.0.0.1:\(listener.port)\(path)"
    try poll.add(listener.descriptor, token: Token.listener, interest: .readable)
    guard let signals else { return }
    try poll.add(signals.descriptor, token: Token.signals, interest: .readable)
  }

  /// Serves those who wait; false when a signal asks for the end.
  func attend(_ page: Page, now: UInt64 = SystemClock.monotonicMicroseconds()) -> Bool {
    drop { now >= $0.began + Self.longest }
    while let count = try? poll.wait(into: &events, timeoutMilliseconds: 0), count > 0 {
      for index in 0..<count {
        switch events[index].token {
        case Token.signals: return false
        case Token.listener: takeConnections(now)
        case let token: proceed(token, page)
        }
      }
    }
    return true
  }

  private func takeConnections(_ now: UInt64) {
    while let descriptor = listener.accept() {
      if connections.count == Self.most, let oldest = connections.first?.connection {
        drop { $0 === oldest }
      }
      let connection = PageConnection(descriptor, began: now)
      let added: Void? = try? poll.add(connection.descriptor, token: nextToken, interest: .readable)
      guard added != nil else { continue }
      connections.append((nextToken, connection))
      nextToken += 1
    }
  }

  private func proceed(_ token: UInt64, _ page: Page) {
    guard let connection = connections.first(where: { $0.token == token })?.connection else {
      return
    }
    let before = connection.interest
    guard connection.proceed({ self.respond($0, page) }) else {
      drop { $0 === connection }
      return
    }
    let interest = connection.interest
    guard interest != before else { return }
    try? poll.change(connection.descriptor, token: token, interest: interest)
  }

  private func drop(_ isMeant: (PageConnection) -> Bool) {
    for (_, connection) in connections where isMeant(connection) {
      try? poll.remove(connection.descriptor)
    }
    connections.removeAll { isMeant($0.connection) }
  }

  /// The answer to a request; nil while more of it is to come.
  private func respond(_ request: [UInt8], _ page: Page) -> [UInt8]? {
    switch PageRequest(request, path: path) {
    case .incomplete: nil
    case .refused: Self.head("403 Forbidden", ["Content-Length: 0"])
    case .page(let known) where known == page.version:
      Self.head("304 Not Modified", ["ETag: \(page.version)"])
    case .page: Self.whole(page)
    }
  }

  private static func whole(_ page: Page) -> [UInt8] {
    let bytes = page.bytes()
    let own = "'nonce-\(page.nonce)'"
    return head(
      "200 OK",
      [
        "Content-Type: text/html; charset=utf-8", "Content-Length: \(bytes.count)",
        "ETag: \(page.version)",
        "Content-Security-Policy: default-src 'none'; style-src \(own); script-src \(own);"
          + " connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none';"
          + " frame-ancestors 'none'",
      ]
    ) + bytes
  }

  private static func head(_ status: String, _ more: [String]) -> [UInt8] {
    let lines =
      ["HTTP/1.1 \(status)"] + more + [
        "Cache-Control: no-store", "Referrer-Policy: no-referrer",
        "X-Content-Type-Options: nosniff", "Cross-Origin-Resource-Policy: same-origin",
        "Connection: close",
      ]
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}
