// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yLog
import A11yPlay
import A11yWire

/// A difference between the expected and the observed course of a run.
struct Divergence: Error {
  let step: Int
  let expected: String
  let came: String
}

/// Keeps the first divergence of a run; what follows from it is of no interest.
final class Judge {
  private(set) var divergence: Divergence?
  var step = 0

  func blame(expected: @autoclosure () -> String, came: @autoclosure () -> String) {
    guard divergence == nil else { return }
    divergence = Divergence(step: step, expected: expected(), came: came())
  }

  func check(
    _ isRight: Bool,
    expected: @autoclosure () -> String,
    came: @autoclosure () -> String
  ) {
    if !isRight { blame(expected: expected(), came: came()) }
  }
}

/// Bytes for people.
func shown(_ bytes: some Sequence<UInt8>) -> String {
  let text = String(decoding: Array(bytes), as: UTF8.self)
  guard text.utf8.count > 400 else { return text }
  return text.prefix(300) + " … " + text.suffix(80)
}

/// The order of the bus's entries about itself.
///
/// It opens, writes down the decisions that were left and its rules, and closes. Events of clients
/// and other rules come only between opening and closing.
struct Succession {
  private enum Place {
    /// Entries before this one are not known.
    case anywhere
    case opening
    case open
    case closed
  }

  private var place = Place.anywhere
  private var last: Int64 = 0

  private static let decisions: Set<String> = ["focus", "deliver", "silence", "outcome", "gesture"]

  mutating func follow(_ entry: Known, _ judge: Judge) {
    if entry.entry.seq != last + 1 { place = .anywhere }
    last = entry.entry.seq
    let type = entry.about.type
    let next = after(entry.entry.conn == 0 ? type : "")
    judge.check(
      next != nil,
      expected: "what can come when the bus is \(place)",
      came: shown(entry.line)
    )
    if let next { place = next }
  }

  /// The place behind an entry of this type; nil where it must not come.
  private func after(_ type: String) -> Place? {
    switch (place, type) {
    case (_, "opened"): .opening
    case (.opening, "rules"), (.anywhere, "rules"): .open
    case (.opening, _) where Self.decisions.contains(type): .opening
    case (.open, "closed"), (.anywhere, "closed"): .closed
    case (.opening, _), (.closed, _): nil
    case (.open, _): .open
    case (.anywhere, _): .anywhere
    }
  }
}

/// The states that the bus has told: the same after one entry to everybody, before a start and
/// after it.
struct ToldStates {
  /// A state from the focus up to the items that wait, whose places differ in their own time.
  struct State: Equatable {
    let bytes: [UInt8]

    private static let start = Array("\"focus\":".utf8)
    private static let end = Array(",\"pending\":[".utf8)

    /// The state in a line; nil where it has none.
    init?(_ line: [UInt8]) {
      guard let start = line.find(Self.start, from: 0), let end = line.find(Self.end, from: start)
      else { return nil }
      bytes = Array(line[start..<end])
    }
  }

  private var states: [Int64: State] = [:]

  /// The entries after which a state was told.
  var seqs: [Int64] { states.keys.filter { $0 > 0 }.sorted() }

  /// Takes the state after an entry, and blames one that differs from an earlier one.
  mutating func accept(_ state: State, after seq: Int64, _ judge: Judge) {
    let before = states[seq] ?? state
    judge.check(
      before == state,
      expected: "the state after \(seq) as it was before: \(shown(before.bytes))",
      came: shown(state.bytes)
    )
    states[seq] = before
  }

  /// Forgets the states from an entry on, whose number means something else now.
  mutating func dropStates(from first: Int64) { states = states.filter { $0.key < first } }
}

/// Decides a log anew from each of its segments on, with the state that is written beside it.
///
/// Wherever a replay begins, it comes to the decisions on record, byte for byte: a state that does
/// not keep all that decisions follow from, or not their order, shows here.
struct ReplayCheck {
  private let disk: SimDisk
  private let entries: [(seq: Int64, line: [UInt8])]
  private let firsts: [Int64]

  init(_ disk: SimDisk) {
    self.disk = disk
    entries = DiskReading(disk).entries.sorted { $0.key < $1.key }
      .map { (seq: $0.key, line: $0.value) }
    firsts = disk.fileNames.compactMap(DiskReading.first).sorted()
  }

  /// Lost entries have decided what cannot be told any more: such a log is believed.
  private var isWhole: Bool {
    guard let first = entries.first, let last = entries.last else { return false }
    return last.seq - first.seq + 1 == Int64(entries.count)
  }

  func judge(_ judge: Judge) {
    guard isWhole else { return }
    for first in firsts where judge.divergence == nil { replay(from: first, judge) }
  }

  private func replay(from first: Int64, _ judge: Judge) {
    var replay = Replay()
    let beginnings = Set(firsts)
    for (seq, line) in entries where seq >= first {
      if beginnings.contains(seq), replay.isAtLoss(before: Seq(seq)) { resume(&replay, at: seq) }
      guard let difference = replay.take(line.span) else { continue }
      return judge.blame(
        expected: "a replay from \(first) on to decide what the log says: "
          + (difference.recorded.map(Self.text) ?? "nothing more"),
        came: difference.decided.map(Self.text) ?? "nothing"
      )
    }
  }

  private func resume(_ replay: inout Replay, at first: Int64) {
    let reader = JSONReader(limit: Limits.answerBytes)
    guard
      let known = Checkpoint<BrokerState>.read(beside: Seq(first), on: disk, with: reader),
      !known.hasForgotten
    else { return }
    replay.resume(known.state.presenter, after: known.after)
  }

  private static func text(_ line: [UInt8]) -> String { String(decoding: line, as: UTF8.self) }
}
