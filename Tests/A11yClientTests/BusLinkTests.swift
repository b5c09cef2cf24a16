// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yTestKit
import Testing

@Suite(.timeLimit(.minutes(hangs)))
struct BusLinkTests {
  @Test func `a bus that dies before it answered was told something all the same`() throws {
    let bus = try FakeBus(
      .init(.hear([#""op":"hello""#])),
      .init(.hear([#""op":"hello""#]), .say([Says.hello]), .wait)
    )
    let link = try BusLink(path: bus.path, introduction: Introduction(app: "org.test"))

    let news = try serve(link)

    #expect(news.count == 2)
    #expect(news.first?.isLoss == true)
    #expect(news.last?.isConnection == true)
    #expect(link.isReturning)
    #expect(bus.complaint == nil)
  }

  @Test func `a bus that comes late was told nothing before, one that comes again was`() throws {
    let bus = try RunningDaemon()
    try bus.stop()
    let link = try BusLink(path: bus.socket, introduction: Introduction(app: "org.test"))
    #expect(try link.serve().map(\.isLoss) == [true])

    try bus.start()
    #expect(try serve(link).map(\.isConnection) == [true])
    #expect(!link.isReturning)

    bus.kill()
    try bus.start()
    #expect(try serve(link).last?.isConnection == true)
    #expect(link.isReturning)
  }

  /// Serves the link until it is connected, as a program's loop does.
  private func serve(_ link: BusLink) throws -> [BusLink.News] {
    let deadline = A11yTestKit.Deadline.usual
    var news: [BusLink.News] = []
    while !news.contains(where: \.isConnection) {
      guard !deadline.isOver else { throw Missing("a connection; the news were \(news)") }
      let now = SystemClock.monotonicMicroseconds()
      let attempt = link.due.map { $0 > now ? Int32(clamping: ($0 - now) / 1_000 + 1) : 0 }
      _ = try link.descriptor.descriptor.waitReady(
        for: .readable,
        timeoutMilliseconds: min(attempt ?? .max, deadline.millisecondsLeft)
      )
      news += try link.serve()
    }
    return news
  }
}

extension BusLink.News {
  fileprivate var isConnection: Bool { if case .connected = self { true } else { false } }

  fileprivate var isLoss: Bool { if case .away = self { true } else { false } }
}
