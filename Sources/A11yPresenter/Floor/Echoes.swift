// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// The last utterances, so that the user can ask for any of them again.
///
/// Words that the log does not have are not kept here either.
struct Echoes: Sendable {
  struct Echo: Sendable {
    var item: Item
    var ticket: Int64
    /// Its deliver entry, once the log has it.
    var seq: Seq?
  }

  /// The oldest first.
  private(set) var all: [Echo] = []
  private var bytes = 0

  mutating func keep(_ echo: Echo) {
    all.append(echo)
    bytes += echo.item.text.runs.count
    while all.count > Bounds.echoes || bytes > Bounds.echoBytes && all.count > 1 {
      bytes -= all.removeFirst().item.text.runs.count
    }
  }

  /// The log has given a delivery its seq.
  mutating func assign(_ seq: Seq, to ticket: Int64) {
    guard let place = all.lastIndex(where: { $0.ticket == ticket }) else { return }
    all[place].seq = seq
  }

  mutating func changeItems(_ change: (inout Item) -> Void) {
    for index in all.indices { change(&all[index].item) }
  }

  func item(of delivery: Seq) -> Item? { all.last { $0.seq == delivery }?.item }

  mutating func forget(_ isMeant: (Item) -> Bool) {
    all.removeAll { isMeant($0.item) }
    bytes = all.reduce(0) { $0 + $1.item.text.runs.count }
  }
}
