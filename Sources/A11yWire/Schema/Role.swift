// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The role of a socket, which says what its clients may do.
public enum Role: String, Sendable, CaseIterable {
  case bus, publish, read, control

  public func mayPublish(_ type: EventType) -> Bool {
    switch self {
    case .bus: true
    case .publish: !type.has(.isOfUser)
    case .read: type.has(.isOfReader)
    case .control: type.has(.isOfControl)
    }
  }

  public func mayAsk(_ op: Operation) -> Bool {
    switch self {
    case .bus, .control: true
    case .publish: op.isForPublishers
    case .read: op != .forget && op != .reload
    }
  }

  /// The narrower sockets that fit, in words: “control and read”.
  public static func named(where isFor: (Role) -> Bool) -> String {
    [control, read, publish].filter(isFor).map(\.rawValue).joined(separator: " and ")
  }
}
