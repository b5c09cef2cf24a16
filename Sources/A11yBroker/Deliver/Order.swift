// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPresenter
package import A11yWire

/// What a decision has readers do, for those who play one.
package enum Order: Equatable, Sendable {
  /// Speak so many characters, and stop what was cut for it.
  case speak(Seq, to: Int64?, characters: Int64, cut: Seq?, at: Int64)
  case silence(of: Seq?, at: Int64)

  /// That of a decision which stands in the log as `seq`; nil for one that is not for readers.
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
