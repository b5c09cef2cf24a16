// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
