// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yPresenter
import A11yRules
import A11yTestKit
import A11yWire
import Testing

/// Whatever happens in whatever order, the presenter is sound behind each step; a sequence that
/// breaks it is told in its shortest form.
@Suite struct SequenceTests {
  @Test func `behind each of many steps the presenter is sound`() {
    let dice = Dice()
    for round in 0..<4 {
      let seed = dice.seed &+ UInt64(round)
      var bustle = Bustle(Dice(seed: seed))
      for _ in 0..<150 { _ = bustle.step() }
      let deeds = bustle.play.deeds
      guard let fault = Soundness.fault(of: deeds) else { continue }
      let shortest = Shrinking.shortest(deeds) { Soundness.fault(of: $0) != nil }
      let words = shortest.map(\.description).joined(separator: "\n")
      Issue.record("A11Y_SEED=\(seed): \(Soundness.fault(of: shortest) ?? fault)\n\(words)")
      return
    }
  }

  @Test func `of a sequence the part stays that is needed, in its order`() {
    let numbers = Array(0..<100)

    let shortest = Shrinking.shortest(numbers) { part in
      guard let first = part.firstIndex(of: 71), let second = part.firstIndex(of: 3) else {
        return false
      }
      return second < first && part.contains(40)
    }

    #expect(shortest == [3, 40, 71])
  }
}

/// What has to be true at any moment, whatever has happened.
private enum Soundness {
  /// The first thing that is wrong; nil where the bus is sound behind each deed and at its end.
  static func fault(of deeds: [Play.Deed]) -> String? {
    var play = Play()
    var endings = Endings()
    var looked = 0
    for (index, deed) in deeds.enumerated() {
      play.perform(deed)
      let lines = play.lines
      for line in lines[looked...] { endings.take(line) }
      looked = lines.count
      let presenter = play.bus.broker.presenter
      if let wrong = endings.wrong.first { return wrong }
      if presenter.hasDecided { return "a decision was not written down" }
      if let due = presenter.due, due < presenter.now { return "an alarm has not rung" }
      // It costs as much as all the rest.
      let isTurn = index % 8 == 0 || index == deeds.count - 1
      if isTurn, let wrong = record(of: presenter) { return wrong }
    }
    return nil
  }

  private static func record(of presenter: Presenter) -> String? {
    let lines = Record.lines(presenter)
    guard let back = Record.presenter(lines) else { return "its record cannot be read" }
    return Record.difference(Record.lines(back), lines).map { "it is read back as another:\n\($0)" }
  }
}

/// Finds what is needed of a sequence.
enum Shrinking {
  /// The shortest part that is found to be as bad: larger pieces are left out first, then single
  /// ones, until none can be.
  static func shortest<T>(_ all: [T], isBad: ([T]) -> Bool) -> [T] {
    var part = all
    var piece = max(1, part.count / 2)
    while true {
      var start = 0
      var isShorter = false
      while start < part.count {
        let without = Array(part[..<start] + part[min(start + piece, part.count)...])
        if isBad(without) {
          part = without
          isShorter = true
        } else {
          start += piece
        }
      }
      if piece > 1 { piece /= 2 } else if !isShorter { return part }
    }
  }
}
