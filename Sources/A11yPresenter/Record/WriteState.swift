// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yModel
internal import A11yRules
public import A11yWire

// The state, as subscribers are told it.
extension Presenter {
  /// Appends the state as the protocol has it, right after the entry that `cursor` names: all of
  /// it, or as far as it is one app's own.
  public func writeState(cursor: Cursor, only app: AppKey?, into out: inout ByteBuffer) {
    model.writeState(cursor: cursor, only: app, into: &out) { writePending(only: app, into: &$0) }
  }

  /// Lets go of apps that left so long ago.
  public mutating func expire(through now: Instant) { model.expire(through: now.microseconds) }

  /// Gives back some of the memory of what is gone.
  public mutating func freeDeferred() { model.freeDeferred() }

  /// Takes over what another presenter is made of, of which nobody is going to ask any more.
  public mutating func demolish(_ other: consuming Presenter) { model.demolish(other.model) }
}
