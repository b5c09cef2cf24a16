// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// What the bus says of itself, in the order in which it may: it opens, writes down what was left to be
/// decided and its rules, and closes; and whoever wants to say anything has to wait until it has opened.
struct Succession {
  private enum Place {
    /// What came before is not known.
    case anywhere
    case opening
    case open
    case closed
  }

  private var place = Place.anywhere
  private var last: Int64 = 0

  private static let decisions: Set<String> = ["focus", "deliver", "silence", "outcome", "gesture"]

  mutating func take(_ entry: Known, _ judge: Judge) {
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

  /// Where an entry of this type leads; nil where it cannot be.
  private func after(_ type: String) -> Place? {
    switch (place, type) {
    case (_, "opened"): .opening
    case (.opening, "rules"), (.anywhere, "rules"): .open
    case (.opening, _) where Self.decisions.contains(type): .opening
    case (.open, "closed"), (.anywhere, "closed"): .closed
    case (.opening, _), (.open, "rules"), (.closed, _): nil
    case (.open, _): .open
    case (.anywhere, _): .anywhere
    }
  }
}
