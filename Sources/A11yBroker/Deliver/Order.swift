// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPresenter
package import A11yWire

/// An order to readers, for programs that play one.
package enum Order: Equatable, Sendable {
  /// Speak so many characters, and stop the speech that was cut for them.
  case speak(Seq, to: Int64?, characters: Int64, cut: Seq?, at: Int64)
  case silence(of: Seq?, at: Int64)

  /// The order of a decision that is the entry `seq`; nil for a decision that is not for readers.
  package init?(_ decision: Decision, as seq: Seq, at mono: Int64) {
    switch decision {
    case .deliver(let delivery):
      self = .speak(
        seq,
        to: delivery.to,
        characters: delivery.characters,
        cut: delivery.cut,
        at: mono
      )
    case .silence(let silence): self = .silence(of: silence.of, at: mono)
    case .outcome, .focus, .gesture, .calm: return nil
    }
  }
}
