// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yWire

extension Presenter {
  /// An app withdraws an event of its own; that it is one was checked when it came.
  mutating func cancel(_ event: borrowing WireEvent) {
    guard let of = event.seq(.of) else { return }
    if let item = waiting.withdraw(of) {
      if let place = floor.cuts.firstIndex(where: { $0.item.seq == of }) {
        floor.cuts.remove(at: place)
      }
      silenceUntold { $0.seq == of }
      end(item, Ending(.cancelled, by: cause, rule: .cancel, item.waited(until: now)))
    } else if let speech = floor.speaking, speech.item.seq == of, speech.item.endsInOutcome {
      cutSpeaking(.cancelled, by: cause, rule: .cancel)
      silenceCut(by: cause)
    }
  }
}
