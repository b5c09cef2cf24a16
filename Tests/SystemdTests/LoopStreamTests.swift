// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Systemd
import Testing

@Suite(.timeLimit(.minutes(hangs))) struct LoopStreamTests {
  /// More than a socket takes at once.
  private let long = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 251) }

  @Test func `bytes come until the peer goes`() throws {
    let talk = try Conversation { $0.news.last == .gone }

    talk.theirs?.send([1, 2, 3])
    talk.theirs = nil
    _ = try talk.loop.run()

    #expect(talk.news == [.bytes([1, 2, 3]), .gone])
  }

  @Test func `what a peer does not take waits for it, in order`() throws {
    let count = long.count + 3
    let talk = try Conversation { $0.taken.count == count }
    let ours = try #require(talk.ours)

    let first = ours.send(long)
    let second = ours.send([1, 2, 3])
    _ = try talk.loop.run()

    #expect(first < long.count)
    #expect(second == 0)
    #expect(talk.taken == long + [1, 2, 3])
    #expect(first + talk.later == count)
  }

  @Test func `a connection that is let go ends when all is sent`() throws {
    let talk = try Conversation { $0.news.last == .gone }
    let ours = try #require(talk.ours)

    let first = ours.send(long)
    #expect(!ours.leave())
    _ = try talk.loop.run()

    #expect(first + talk.later == long.count)
  }

  @Test func `one that has nothing to send goes at once`() throws {
    let talk = try Conversation { _ in true }
    let ours = try #require(talk.ours)

    #expect(ours.send([1]) == 1)

    #expect(ours.leave())
    #expect(talk.news.isEmpty)
  }

  @Test func `who is not to be read is left alone until it goes`() throws {
    let talk = try Conversation { $0.news.last == .gone }
    let ours = try #require(talk.ours)
    var before: [LoopStream.News]?
    let alarm = try Timer(on: .monotonic, priority: .low, on: talk.loop) {
      before = talk.news
      talk.theirs = nil
    }

    ours.read(false)
    talk.theirs?.send([1])
    alarm.arm(afterMicroseconds: 0)
    _ = try talk.loop.run()

    #expect(before == [])
    #expect(talk.news == [.bytes([1]), .gone])
  }

  @Test func `the owner may let go of a stream that tells it news`() throws {
    let talk = try Conversation { $0.ours == nil }
    talk.onNews = { talk.ours = nil }

    talk.theirs?.send([1])
    _ = try talk.loop.run()

    #expect(talk.news == [.bytes([1])])
  }
}

/// Two streams that lead to each other in one loop, which runs until something is so.
private final class Conversation {
  let loop: EventLoop
  var ours: LoopStream?
  var theirs: LoopStream?
  private(set) var news: [LoopStream.News] = []
  /// What the other end has read.
  private(set) var taken: [UInt8] = []
  /// What is done with each news, once it is noted.
  var onNews: () -> Void = {}

  init(until isOver: @escaping (Conversation) -> Bool) throws {
    loop = try EventLoop()
    let pair = try UnixStream.pair()
    ours = try LoopStream(pair.first, on: loop) { [unowned self] news in
      self.news.append(news)
      onNews()
      if isOver(self) { loop.exit(0) }
    }
    theirs = try LoopStream(pair.second, on: loop) { [unowned self] news in
      if case .bytes(let bytes) = news { taken += bytes }
      if isOver(self) { loop.exit(0) }
    }
  }

  /// The bytes that have gone after the call which sent them.
  var later: Int {
    news.reduce(0) { if case .sent(let count) = $1 { $0 + count } else { $0 } }
  }
}
