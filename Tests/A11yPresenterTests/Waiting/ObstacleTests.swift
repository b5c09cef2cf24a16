// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yTestKit
import A11yWire
import Testing

@testable import A11yPresenter

/// The obstacle that is told is the one that holds an event back.
@Suite struct ObstacleTests {
  @Test func `in any state an event is kept by what is told, and by nothing else before it`() throws
  {
    let dice = Dice()
    let all: Set<Obstacle> = [
      .readerOff, .doNotDisturb, .userPause, .appPause, .hold, .debounce, .rate, .turn, .reading,
    ]
    var told: Set<Obstacle> = []
    // The rarest of them does not come in every thirty rounds.
    for round in 0..<300 where round < 30 || !told.isSuperset(of: all) {
      let seed = dice.seed &+ UInt64(round)
      var bustle = Bustle(Dice(seed: seed))
      for step in 0..<150 {
        _ = bustle.step()
        let presenter = bustle.bus.broker.presenter
        for item in presenter.waiting.items where !item.isSilent {
          let obstacle = presenter.obstacle(to: item)
          told.insert(obstacle)
          let fault = fault(presenter, item, obstacle)
          #expect(fault == nil, "A11Y_SEED=\(seed), step \(step), seq \(item.seq.number)")
          if fault != nil { return }
        }
      }
    }
    #expect(told.isSuperset(of: all))
  }

  private func fault(_ presenter: Presenter, _ item: Item, _ obstacle: Obstacle) -> String? {
    if let pending = presenter.pending(of: item.seq), pending.by != obstacle {
      return "told as \(pending.by?.rawValue ?? "nothing"), decided as \(obstacle.rawValue)"
    }
    var alone = presenter
    alone.clearTheFloor(for: item)
    let isSpoken = alone.waiting[item.seq] == nil
    if isSpoken, obstacle.isBar, obstacle != .hold { return "spoken though \(obstacle.rawValue)" }
    if !isSpoken, !obstacle.isBar { return "not spoken, though nothing but \(obstacle.rawValue)" }
    var without = presenter
    if without.lift(obstacle), without.obstacle(to: item) == obstacle {
      return "still \(obstacle.rawValue) when that is over"
    }
    return nil
  }
}

extension Presenter {
  /// Ends all speech until nothing wants to be spoken before an event, or it is its turn.
  fileprivate mutating func clearTheFloor(for item: Item) {
    repeat {
      floor.endSpeaking(&waiting.alarms, context)
      floor.readers.reading = nil
      pump()
    } while floor.speaking != nil && floor.speaking?.item.seq != item.seq
  }

  /// Takes an obstacle away; false where that takes more than a word.
  fileprivate mutating func lift(_ obstacle: Obstacle) -> Bool {
    switch obstacle {
    case .readerOff:
      guard waiting.tally.status == 0 else { return false }
      floor.readers.listening = [Readers.Listener(conn: 1, rank: 50, isReporting: false, uid: 0)]
      floor.readers.status = true
      endOutage()
    case .doNotDisturb: waiting.quiet.disturbance.level = 0
    case .userPause: waiting.quiet.pausedAt = nil
    case .appPause: waiting.quiet.pauses = []
    case .modal, .hold, .debounce, .rate, .turn, .reading: return false
    }
    return true
  }
}
