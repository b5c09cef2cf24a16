// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// How much an announcement matters.
public enum AnnouncementPriority: String, Hashable, Sendable, CaseIterable {
  /// Nice to know; the first to give way.
  case low
  /// What a user expects to hear.
  case `default`
  /// What must not be missed; it interrupts.
  case high
}

/// What kind of news an announcement is: kinds are paced differently.
public struct AnnouncementClass: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The word on the wire.
  public let name: String

  /// A kind of one's own, of small letters and hyphens; it is treated as a message.
  public init(stringLiteral name: String) { self.name = name }

  /// A kind by its word on the wire.
  public init(_ name: String) { self.name = name }

  /// Something happened.
  public static let message: AnnouncementClass = "message"
  /// A state that replaces the one told before it.
  public static let status: AnnouncementClass = "status"
  /// How far something has come.
  public static let progress: AnnouncementClass = "progress"
  /// How much time is left.
  public static let timer: AnnouncementClass = "timer"
  /// The value of a control.
  public static let value: AnnouncementClass = "value"
  /// What somebody else wrote.
  public static let chat: AnnouncementClass = "chat"
  /// What could be done here.
  public static let hint: AnnouncementClass = "hint"
}

/// What becomes of announcements with the same key that wait together.
public enum AnnouncementMode: String, Hashable, Sendable, CaseIterable {
  /// All are spoken.
  case all
  /// The newest replaces those that wait.
  case latest
  /// The newest replaces those that wait and the one that is being spoken.
  case latestInterrupt = "latest-interrupt"
  /// The one that is being spoken is finished, then the newest is spoken.
  case currentThenLatest = "current-then-latest"
}

/// Who made an event happen.
public enum Cause: Hashable, Sendable {
  /// The app by itself.
  case auto
  /// The user.
  case user
  /// The user's action with this seq.
  case action(Int64)

  var json: JSONValue {
    switch self {
    case .auto: "auto"
    case .user: "user"
    case .action(let seq): .integer(seq)
    }
  }
}

/// What has become of a window.
public enum WindowState: String, Hashable, Sendable, CaseIterable {
  /// It is there.
  case opened
  /// The user works in it.
  case active
  /// The user works elsewhere.
  case inactive
  /// It is gone.
  case closed
}

/// How far an event is safe when its reply comes.
public enum AcknowledgementLevel: String, Hashable, Sendable, CaseIterable {
  /// It has its seq, in memory.
  case received
  /// It survives the end of the bus; the default.
  case written
  /// It survives a power cut.
  case synced
}
