// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
package import A11yWire

// What the engine tells of itself and of the model in it.
extension Engine {
  /// Appends the state as the protocol has it, right after the entry that `cursor` names.
  package func writeState(cursor: Cursor, into out: inout ByteBuffer) {
    model.writeState(cursor: cursor, into: &out) { writePending(into: &$0) }
  }

  /// Lets go of apps that left so long ago.
  package mutating func expire(through mono: Int64) { model.expire(through: mono) }

  /// Gives back some of the memory of what is gone.
  package mutating func clearRubble() { model.clearRubble() }

  /// Takes over what another engine is made of, of which nobody is going to ask any more.
  package mutating func demolish(_ other: consuming Engine) { model.demolish(other.model) }
}
