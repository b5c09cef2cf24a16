// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

/// The topic of a rule: the type of an entry, or one of the stages that look at many of them.
public enum Topic: String, Sendable, CaseIterable {
  case announcement
  case layoutChanged = "layout-changed"
  case screenChanged = "screen-changed"
  case pageScrolled = "page-scrolled"
  case focus
  /// A change in an element that the user is at.
  case elements
  case voiceOverStatus = "voiceover-status"
  /// Events of an element that is busy.
  case busy
  /// Many elements of an app that speak at once.
  case storm

  var number: Int {
    switch self {
    case .announcement: 0
    case .layoutChanged: 1
    case .screenChanged: 2
    case .pageScrolled: 3
    case .focus: 4
    case .elements: 5
    case .voiceOverStatus: 6
    case .busy: 7
    case .storm: 8
    }
  }
}

/// Whether the user has caused an event.
public enum Causation: String, Sendable, CaseIterable {
  case auto, user

  var number: Int { self == .user ? 1 : 0 }
}

/// The facts of an event that rules may look at.
public struct Facts: Sendable {
  public var topic: Topic
  public var speechClass: SpeechClass
  public var uid: UInt32
  public var app: Name
  public var window: Name?
  public var element: Name?
  public var priority: Priority
  /// One bit for each of the schema's traits, in their order.
  public var traits: UInt32
  public var cause: Causation
  public var isForeground: Bool
  /// Whether it names the element that has the focus.
  public var isFocused: Bool
  public var isContinuous: Bool
  /// The bridge through which it came; nil where the app itself has published it.
  public var origin: Name?
  /// The text that would be spoken, with its JSON escapes; nil for a secret, or where there is
  /// none.
  public var text: [UInt8]?

  // Inlined on request, because the value is made for each event and would be copied on return.
  @inlinable @inline(__always)
  public init(
    topic: Topic,
    speechClass: SpeechClass = .message,
    uid: UInt32,
    app: Name,
    window: Name? = nil,
    element: Name? = nil,
    priority: Priority = .default,
    traits: UInt32 = 0,
    cause: Causation = .auto,
    isForeground: Bool = true,
    isFocused: Bool = false,
    isContinuous: Bool = false,
    origin: Name? = nil,
    text: [UInt8]? = nil
  ) {
    self.topic = topic
    self.speechClass = speechClass
    self.uid = uid
    self.app = app
    self.window = window
    self.element = element
    self.priority = priority
    self.traits = traits
    self.cause = cause
    self.isForeground = isForeground
    self.isFocused = isFocused
    self.isContinuous = isContinuous
    self.origin = origin
    self.text = text
  }
}

/// The class of an announcement; one that nobody knows behaves as a message.
public enum SpeechClass: Hashable, Sendable {
  case message, status, progress, timer, value, chat, hint, reading
  case other(String)

  public init(_ word: String) {
    switch word {
    case "message": self = .message
    case "status": self = .status
    case "progress": self = .progress
    case "timer": self = .timer
    case "value": self = .value
    case "chat": self = .chat
    case "hint": self = .hint
    case "reading": self = .reading
    default: self = .other(word)
    }
  }

  public var word: String {
    switch self {
    case .message: "message"
    case .status: "status"
    case .progress: "progress"
    case .timer: "timer"
    case .value: "value"
    case .chat: "chat"
    case .hint: "hint"
    case .reading: "reading"
    case .other(let word): word
    }
  }

  /// The classes that mean something, by their numbers.
  public static let known: [SpeechClass] = [
    .message, .status, .progress, .timer, .value, .chat, .hint, .reading,
  ]

  /// The number of all others, behind those that are known.
  static let otherNumber = 8

  public var number: Int {
    switch self {
    case .message: 0
    case .status: 1
    case .progress: 2
    case .timer: 3
    case .value: 4
    case .chat: 5
    case .hint: 6
    case .reading: 7
    case .other: Self.otherNumber
    }
  }

  /// The priority of announcements of this class that do not name one.
  public var priority: Priority {
    switch self {
    case .progress, .timer, .chat, .hint: .low
    case .message, .status, .value, .reading, .other: .default
    }
  }
}
