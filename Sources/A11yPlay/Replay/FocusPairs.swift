// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// Pairs of focus entries, one of the record and one decided anew, with the same cause and the same
/// place.
///
/// The one that is decided now may be known, and have ended, before the record comes to its own.
struct FocusPairs {
  struct Place: Hashable {
    let by: Seq?
    let app: Name?
    let window: Name?
    let element: Name?

    /// Reads it off a focus entry, whose cause is told apart.
    init(_ event: JSONIndex, of entry: JSONDocument, by: Seq?) {
      self.by = by
      app = entry.name("app", of: event)
      window = entry.name("window", of: event)
      element = entry.name("element", of: event)
    }
  }

  /// Those of now that the record has not come to, and how they have ended.
  private var waiting: [Place: [Seq]] = [:]
  private var endings: [Seq: WhatIf.Ending] = [:]
  private var order: [Place] = []
  /// Those that are known in the record, and have not ended.
  private var recorded: [Seq: Seq] = [:]

  /// Those that wait for the record at most: it comes to them at once, or never.
  private static let kept = 256

  /// The focus has gone somewhere now.
  mutating func addMove(_ seq: Seq, _ place: Place) {
    if order.count >= Self.kept {
      for seq in waiting.removeValue(forKey: order.removeFirst()) ?? [] { endings[seq] = nil }
    }
    waiting[place, default: []].append(seq)
    order.append(place)
  }

  /// The focus has gone somewhere in the record; says how it has ended now, if it has.
  mutating func addRecorded(_ seq: Seq, _ place: Place) -> WhatIf.Ending? {
    guard var others = waiting[place], !others.isEmpty else { return nil }
    let other = others.removeFirst()
    waiting[place] = others.isEmpty ? nil : others
    if let index = order.firstIndex(of: place) { order.remove(at: index) }
    guard let ending = endings.removeValue(forKey: other) else {
      recorded[other] = seq
      return nil
    }
    return ending.of(seq)
  }

  /// Something that is not on record has ended; says so of it by its number there, if it has one.
  mutating func addEnding(_ ending: WhatIf.Ending) -> WhatIf.Ending? {
    if let seq = recorded.removeValue(forKey: ending.of) { return ending.of(seq) }
    if endings.count < Self.kept { endings[ending.of] = ending }
    return nil
  }
}

extension WhatIf.Ending {
  fileprivate func of(_ seq: Seq) -> WhatIf.Ending {
    WhatIf.Ending(of: seq, result: result, by: by, rule: rule, text: text)
  }
}
