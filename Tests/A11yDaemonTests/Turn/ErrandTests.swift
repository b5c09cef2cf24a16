// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yLog
import A11yTestKit
import A11yWire
import Testing

@testable import A11yDaemon

/// Questions that only the log can answer go round by users.
@Suite struct ErrandTests {
  private let hand: HandBus

  init() throws {
    hand = try HandBus(on: MemoryDisk())
    let app = hand.connect()
    app.say(#"{"op":"hello","app":"org.x"}"#)
    for _ in 0..<50 {
      app.say(#"{"op":"publish","event":{"type":"announcement","text":"Saved"}}"#)
      hand.settle()
    }
  }

  /// Clients of a user, each with a question about the state at an earlier entry.
  private func ask(_ count: Int, uid: UInt32) -> [HandLink] {
    let links = (0..<count).map { _ in hand.connect(uid: uid, role: .publish) }
    for link in links { link.say(#"{"id":1,"op":"subscribe","from":"start","state":true}"#) }
    hand.settle()
    return links
  }

  /// How many slices the log works until a client has an answer.
  private func slices(until link: HandLink) -> Int? {
    for slices in 0..<10_000 {
      if !link.takeLines().isEmpty { return slices }
      guard hand.bus.hasErrands else { return nil }
      hand.bus.tendLog()
      hand.settle()
    }
    return nil
  }

  @Test func `whoever asks from many connections holds up himself alone`() throws {
    let crowd = ask(40, uid: 65_534)
    let operating = hand.connect(role: .control)
    operating.say(#"{"id":1,"op":"explain","seq":4}"#)
    hand.settle()

    let slices = try #require(self.slices(until: operating))

    // Its own slices, and those of one question of the crowd.
    #expect(slices < 20)
    #expect(crowd.filter { $0.takeLines().contains { $0.contains("state") } }.count <= 2)
    while hand.bus.hasErrands { hand.bus.tendLog() }
    hand.settle()
    #expect(crowd.dropFirst(2).allSatisfy { $0.takeLines().contains { $0.contains("state") } })
  }

  @Test func `a question takes no room until its turn comes, and none when its client has gone`() {
    let crowd = ask(40, uid: 65_534)
    hand.bus.tendLog()

    let waiting = hand.bus.errands.users.flatMap(\.errands).filter {
      if case .past(let past, _) = $0.work { !past.hasBegun } else { false }
    }

    #expect(waiting.count == 39)
    let uids = hand.bus.errands.users.map(\.uid)
    for _ in crowd { hand.bus.endNewest(of: 65_534, Refusal(.quotaExceeded, "no room")) }
    #expect(uids == [65_534])
    #expect(hand.bus.errands.isEmpty)
  }
}
