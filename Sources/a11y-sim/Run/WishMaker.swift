// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Makes wishes for clients: subscriptions, and entries after which they ask the state.
struct WishMaker {
  private let dice: Dice
  private let chronicle: Chronicle

  init(_ dice: Dice, _ chronicle: Chronicle) {
    self.dice = dice
    self.chronicle = chronicle
  }

  /// A subscription, as a rule one that goes on where the client was before.
  func wish(_ client: SimClient) -> Asked.Wish {
    if let habit = client.habit, let cursor = client.lastCursor, dice.chance(70) {
      let from = Asked.Wish.From.cursor(epoch: cursor.epoch, seq: cursor.seq)
      return Asked.Wish(
        from: from,
        filter: habit.filter,
        isLatest: habit.isLatest,
        hasState: dice.chance(30)
      )
    }
    let from: Asked.Wish.From
    switch dice.below(10) {
    case 0..<4: from = .now
    case 4..<8: from = .start
    case 8:
      from = .cursor(
        epoch: dice.chance(70) ? chronicle.epoch : dice.hex(32),
        seq: Int64(dice.below(Int(chronicle.top) + 5))
      )
    default: from = .cursor(epoch: chronicle.epoch, seq: chronicle.top + 1_000_000)
    }
    return Asked.Wish(
      from: from,
      filter: filter(),
      isLatest: dice.chance(20),
      hasState: dice.chance(30)
    )
  }

  /// An entry after which the state is asked: as a rule one for which it was asked before.
  func pastSeq(retained: Int64) -> Int64? {
    switch dice.below(10) {
    case 0: nil
    case 1..<4: Int64(dice.within(Int(max(1, retained - 1))...Int(max(retained, chronicle.top))))
    default: chronicle.toldStates.isEmpty ? nil : dice.pick(chronicle.toldStates)
    }
  }

  private func filter() -> SimFilter? {
    var filter = SimFilter()
    switch dice.below(10) {
    case 0: filter.types = ["announcement"]
    case 1: filter.apps = [dice.pick(["app0", "app1", "nobody"])]
    case 2: filter.windows = ["w1"]
    case 3: filter.priorities = ["high", "default"]
    case 4:
      filter.types = ["elements", "layout-changed"]
      filter.elements = ["e1", "pw"]
    default: return nil
    }
    return filter
  }
}
