// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// The new number of each entry of the record where all is decided anew, and the other way round.
struct Renumbering {
  private var base: Int64 = 0
  /// The entries of the record in order, each with its new number.
  ///
  /// Between two of them a record may lack any number of entries.
  private var fresh: [(recorded: Int64, number: Int64)] = []
  /// By the place behind `base` anew; 0 for an entry that is not on record.
  private var old: [Int64] = []
  private(set) var last = Seq.none
  private var focus: Seq?
  /// By the action that they are of.
  private var gestures: [Seq: Seq] = [:]
  private static let gesturesKept = 1_024

  /// Up to there both are the same.
  mutating func begin(after seq: Seq) {
    base = seq.number
    last = seq
  }

  /// The number of the next entry that is not on record.
  mutating func next() -> Seq {
    last = last.next
    old.append(0)
    return last
  }

  /// The number of the next entry that is on record, too.
  @discardableResult
  mutating func assign(recorded seq: Seq) -> Seq {
    last = last.next
    old.append(seq.number)
    set(seq, last)
    return last
  }

  private mutating func set(_ recorded: Seq, _ number: Seq?) {
    guard let number, recorded.number > max(base, fresh.last?.recorded ?? base) else { return }
    fresh.append((recorded.number, number.number))
  }

  // MARK: Decisions

  mutating func setFocus(_ seq: Seq) { focus = seq }

  /// A reference to a focus entry of the record means the place at which the focus was.
  mutating func pairFocus(_ recorded: Seq) { set(recorded, focus) }

  mutating func setGesture(_ seq: Seq, of action: Seq) {
    if gestures.count >= Self.gesturesKept { gestures.removeAll(keepingCapacity: true) }
    gestures[action] = seq
  }

  mutating func pairGesture(_ recorded: Seq, of action: Seq) {
    set(recorded, number(of: action).flatMap { gestures[$0] })
  }

  // MARK: Asking

  /// The number that an entry of the record has now.
  func number(of recorded: Seq) -> Seq? {
    if recorded.number <= base { return recorded }
    var (low, high) = (0, fresh.count)
    while low < high {
      let middle = low + (high - low) / 2
      if fresh[middle].recorded < recorded.number { low = middle + 1 } else { high = middle }
    }
    guard low < fresh.count, fresh[low].recorded == recorded.number else { return nil }
    return Seq(fresh[low].number)
  }

  /// The entry of the record that has this number now.
  func recorded(_ number: Seq) -> Seq? {
    if number.number <= base { return number }
    let place = Int(number.number - base - 1)
    guard place < old.count, old[place] > 0 else { return nil }
    return Seq(old[place])
  }
}
