// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

/// The place of the focus from now on, as a `focus` entry says.
public struct FocusMove: Sendable {
  public let app: AppKey?
  public let window: Name?
  /// Nil: nowhere.
  public let element: Name?
  public let by: Seq?
  public let reason: MoveReason?
  /// The action that has led to it.
  public let cause: Seq?

  public init(
    app: AppKey?,
    window: Name?,
    element: Name?,
    by: Seq?,
    reason: MoveReason?,
    cause: Seq?
  ) {
    self.app = app
    self.window = window
    self.element = element
    self.by = by
    self.reason = reason
    self.cause = cause
  }

  /// The move that an entry on record tells of.
  public init(of event: JSONIndex, in entry: JSONDocument) {
    app = entry.appKey(event)
    window = entry.name("window", of: event)
    element = entry.name("element", of: event)
    by = entry.seq("by", of: event)
    reason = entry.string("reason", of: event).flatMap(MoveReason.init)
    cause = entry.seq("cause", of: event)
  }
}
