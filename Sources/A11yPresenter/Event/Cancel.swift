// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yWire

extension Presenter {
  /// An app withdraws an event of its own; that it is one was checked when it came.
  mutating func cancel(_ event: borrowing WireEvent) {
    guard let of = event.seq(.of) else { return }
    if let item = unpark(of) {
      if let place = cuts.firstIndex(where: { $0.item.seq == of }) { cuts.remove(at: place) }
      settle(item, .cancelled, by: cause, rule: Self.cancelled, waited(item))
    } else if let speech = speaking, speech.item.seq == of, speech.item.endsInOutcome {
      cutSpeaking(.cancelled, by: cause, rule: Self.cancelled)
      silenceCut(by: cause)
    }
  }

  static var cancelled: String { "cancel" }
}
