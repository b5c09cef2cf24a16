// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
