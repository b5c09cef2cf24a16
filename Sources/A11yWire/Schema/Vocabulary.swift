// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The types of events, by who may write them.
public enum EventType: String, Sendable, CaseIterable {
  case announcement
  case layoutChanged = "layout-changed"
  case screenChanged = "screen-changed"
  case pageScrolled = "page-scrolled"
  case focusChanged = "focus-changed"
  case voiceOverStatus = "voiceover-status"
  case elements
  case window
  case handled
  case busy
  case pause
  case resume
  case cancel
  case zoomFocusChanged = "zoom-focus-changed"
  case contentSizeChanged = "content-size-changed"
  case action
  case doNotDisturb = "do-not-disturb"
  case speech

  /// What is on record without anybody having published it.
  public enum Own: String, Sendable, CaseIterable {
    case focus, deliver, silence, outcome, gesture, opened, closed, rules, client, forgotten
  }

  /// The type that these bytes name.
  public init?(_ name: Span<UInt8>) {
    // Announcements are nearly all of the traffic.
    if name.equals("announcement") {
      self = .announcement
      return
    }
    for (bytes, type) in Self.named where name.equals(bytes) {
      self = type
      return
    }
    return nil
  }

  private static let named = allCases.map { (Array($0.rawValue.utf8), $0) }
}

/// What the sockets let their clients do.
public enum Role: String, Sendable, CaseIterable {
  case bus, publish, read, control

  public func mayPublish(_ type: EventType) -> Bool {
    switch self {
    case .bus: true
    case .publish: !Self.userTypes.contains(type)
    case .read: type == .speech || type == .voiceOverStatus
    case .control: type == .action || type == .doNotDisturb || type == .voiceOverStatus
    }
  }

  public func mayAsk(_ op: Operation) -> Bool {
    switch self {
    case .bus, .control: true
    case .publish: op.isForPublishers
    case .read: op != .forget
    }
  }

  /// The sockets, beside the one that is for everything, that are for this: “control and read”.
  public static func named(where isFor: (Role) -> Bool) -> String {
    [control, read, publish].filter(isFor).map(\.rawValue).joined(separator: " and ")
  }

  /// What comes from the user and the user's reader, never from an app.
  private static let userTypes: [EventType] = [.action, .doNotDisturb, .speech, .voiceOverStatus]
}

/// The operations that a request can name.
public enum Operation: String, Sendable, CaseIterable {
  case hello, publish, subscribe, unsubscribe, state, explain, rules, forget, ping, stats, describe

  /// The operation that these bytes name.
  public init?(_ name: Span<UInt8>) {
    if name.equals("publish") {
      self = .publish
      return
    }
    self.init(rawValue: name.string)
  }

  var isForPublishers: Bool {
    switch self {
    case .hello, .ping, .describe, .publish, .subscribe, .unsubscribe, .explain: true
    case .state, .rules, .forget, .stats: false
    }
  }
}
