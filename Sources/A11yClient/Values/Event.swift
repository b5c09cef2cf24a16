// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// The body of a publication: news, a change, an action or a report.
///
/// Begin with one of the static functions, and add fields that any event may have:
///
///     .announcement("Item was added", priority: .high).window("main").cause(.user)
///
/// The bus checks every field and answers a mistake with the field and what was expected there.
public struct Event: Hashable, Sendable {
  private enum Body: Hashable {
    case members([JSONValue.Member])
    /// The text as it was given, so that the log has it byte by byte.
    case raw(String)
  }

  private var body: Body

  /// An event of any type with the fields of that type.
  public init(type: String, _ fields: [JSONValue.Member] = []) {
    body = .members([.init("type", .string(type))] + fields)
  }

  /// An event that is already JSON: one strict object, on one line or several.
  public init(json: String) throws(ClientError) {
    var line = ByteBuffer(capacity: json.utf8.count)
    line.append(text: json)
    let reader = JSONReader(limit: line.count)
    do {
      try reader.read(line.bytes)
    } catch {
      throw .refused(BusRefusal(code: "json.invalid", field: "event", message: error.words))
    }
    self.init(checked: json)
  }

  /// An event that was read as JSON before.
  package init(checked json: String) {
    // JSON allows line breaks outside of strings alone, where they mean no more than blanks.
    let isOneLine = json.utf8.allSatisfy { $0 != 10 && $0 != 13 }
    body = .raw(
      isOneLine ? json : String(decoding: json.utf8.map { $0 < 32 ? 32 : $0 }, as: UTF8.self)
    )
  }

  /// The event as JSON on one line.
  public var json: String {
    switch body {
    case .raw(let text): text
    case .members(let members): JSONValue.object(members).description
    }
  }

  /// The same event with a field, as it stands on the wire, in place of one of that name.
  public func with(_ name: String, _ value: JSONValue) -> Event {
    var members = members
    members.removeAll { $0.name == name }
    members.append(.init(name, value))
    var event = self
    event.body = .members(members)
    return event
  }

  /// The type, if the event names one.
  var type: String? { members.first { $0.name == "type" }?.value.string }

  private var members: [JSONValue.Member] {
    switch body {
    case .members(let members): return members
    case .raw(let text):
      let reader = JSONReader(limit: text.utf8.count)
      // The text was read before; had it not been, the bus would refuse it.
      guard (try? reader.read(Array(text.utf8).span)) != nil else { return [] }
      return JSONValue(reader.document, reader.document.root).members ?? []
    }
  }
}

// Fields that any event may have.
extension Event {
  /// The same event in a window.
  public func window(_ id: String) -> Event { with("window", .string(id)) }

  /// The same event about an element.
  public func element(_ id: String) -> Event { with("element", .string(id)) }

  /// The same event with its cause.
  public func cause(_ cause: Cause) -> Event { with("cause", cause.json) }

  /// The same event with the seq of the `focus` entry that the app had seen.
  public func basis(_ seq: Int64) -> Event { with("basis", .integer(seq)) }

  /// The same event with a key: of several waiting events with one key, the newest counts.
  public func key(_ key: String) -> Event { with("key", .string(key)) }

  /// The same event, which expires unless its speech begins within this time.
  public func timeToLive(_ time: Duration) -> Event {
    with("ttl_ms", .integer(time.milliseconds))
  }

  /// The same event with a secret text, which must not be kept.
  public func sensitive() -> Event { with("sensitive", true) }

  /// The same event with the bridge through which it came, as in `atspi` or `notification`.
  public func origin(_ bridge: String) -> Event { with("origin", .string(bridge)) }

  /// The same event with the app's word on whether it is in the foreground.
  public func foreground(_ isInForeground: Bool) -> Event {
    with("foreground", .flag(isInForeground))
  }
}

// One function for each type that can be published.
extension Event {
  /// News that the user should hear.
  ///
  /// - Parameters:
  ///   - text: The words to speak: short, and without the kinds of controls.
  ///   - priority: The importance.
  ///   - kind: The kind of news.
  ///   - mode: The treatment of announcements with the same key that wait together.
  ///   - queue: Whether it waits for the announcement being spoken instead of cutting it off.
  ///   - final: Whether it is the last value of its kind, which is always delivered.
  /// - Returns: The event, to which a window, a cause and the like may be added.
  public static func announcement(
    _ text: SpeechText,
    priority: AnnouncementPriority? = nil,
    kind: AnnouncementClass? = nil,
    mode: AnnouncementMode? = nil,
    queue: Bool? = nil,
    final: Bool? = nil
  ) -> Event {
    var event = Event(type: "announcement", [.init("text", text.json)])
    if let priority { event = event.with("priority", .string(priority.rawValue)) }
    if let queue { event = event.with("queue", .flag(queue)) }
    if let kind { event = event.with("class", .string(kind.name)) }
    if let mode { event = event.with("mode", .string(mode.rawValue)) }
    if let final { event = event.with("final", .flag(final)) }
    return event
  }

  /// News that the user should hear, in a text made at run time.
  public static func announcement(_ text: String, priority: AnnouncementPriority? = nil) -> Event {
    announcement(SpeechText(text), priority: priority)
  }

  /// Part of a window has changed; with `focusOn` the focus is asked to go there.
  public static func layoutChanged(window: String? = nil, focusOn element: String? = nil) -> Event {
    Event(type: "layout-changed").optional("window", window).optional("element", element)
  }

  /// Part of a window has changed, and a text is to be spoken.
  public static func layoutChanged(window: String? = nil, text: SpeechText) -> Event {
    layoutChanged(window: window).with("text", text.json)
  }

  /// All of a window has changed; with `focusOn` the focus is asked to go there.
  public static func screenChanged(
    window: String? = nil,
    focusOn element: String? = nil,
    modal: Bool? = nil
  ) -> Event {
    let event = Event(type: "screen-changed").optional("window", window)
      .optional("element", element)
    return modal.map { event.with("modal", .flag($0)) } ?? event
  }

  /// All of a window has changed, and a text is to be spoken.
  public static func screenChanged(
    window: String? = nil,
    text: SpeechText,
    modal: Bool? = nil
  ) -> Event {
    screenChanged(window: window, modal: modal).with("text", text.json)
  }

  /// A container shows another page: “Page 5 of 17”.
  public static func pageScrolled(
    _ text: SpeechText? = nil,
    in element: String? = nil,
    continuous: Bool? = nil
  ) -> Event {
    var event = Event(type: "page-scrolled")
    if let text { event = event.with("text", text.json) }
    if let continuous { event = event.with("continuous", .flag(continuous)) }
    return event.optional("element", element)
  }

  /// The keyboard focus went to an element: a report, never a request.
  public static func focusChanged(to element: String, window: String? = nil) -> Event {
    Event(type: "focus-changed").optional("window", window).element(element)
  }

  /// A screen reader was started or stopped.
  public static func voiceOverStatus(running: Bool, reader: String? = nil) -> Event {
    Event(type: "voiceover-status", [.init("running", .flag(running))]).optional("reader", reader)
  }

  /// Elements of a window are new or have changed, or are gone.
  public static func elements(
    window: String,
    upsert: [AppElement] = [],
    remove: [String] = []
  ) -> Event {
    var event = Event(type: "elements")
    if !upsert.isEmpty || remove.isEmpty {
      event = event.with("upsert", .list(upsert.map(\.json)))
    }
    if !remove.isEmpty { event = event.with("remove", .list(remove.map(JSONValue.string))) }
    return event.window(window)
  }

  /// The complete elements of a window.
  public static func elements(window: String, replace elements: [AppElement]) -> Event {
    Event(type: "elements", [.init("replace", .list(elements.map(\.json)))]).window(window)
  }

  /// A window was opened, closed, renamed, or is active now.
  public static func window(
    _ id: String,
    _ state: WindowState? = nil,
    title: String? = nil,
    modal: Bool? = nil
  ) -> Event {
    var event = Event(type: "window").optional("state", state?.rawValue).optional("title", title)
    if let modal { event = event.with("modal", .flag(modal)) }
    return event.window(id)
  }

  /// The window of this event locks its user's session, or does no longer.
  public func lock(_ isLock: Bool = true) -> Event { with("lock", .flag(isLock)) }

  /// The app's answer to a gesture that the bus handed to it.
  public static func handled(gesture seq: Int64, _ handled: Bool) -> Event {
    Event(type: "handled", [.init("of", .integer(seq)), .init("handled", .flag(handled))])
  }

  /// An element is busy, or is so no more.
  public static func busy(_ busy: Bool, element: String) -> Event {
    Event(type: "busy", [.init("busy", .flag(busy))]).element(element)
  }

  /// Readers are asked to be quiet, until `resume`, the end of the connection, or 30 s.
  public static let pause = Event(type: "pause")

  /// Readers may speak again.
  public static let resume = Event(type: "resume")

  /// The app withdraws one of its events.
  public static func cancel(_ seq: Int64) -> Event {
    Event(type: "cancel", [.init("of", .integer(seq))])
  }

  /// The screen magnifier should show another place.
  ///
  /// - Parameters:
  ///   - zoom: The kind of magnification that it is for.
  ///   - element: The element to show.
  ///   - frame: Left, top, width and height of the place to show.
  /// - Returns: The event.
  public static func zoomFocusChanged(
    zoom: String? = nil,
    element: String? = nil,
    frame: [Int64]? = nil
  ) -> Event {
    let event = Event(type: "zoom-focus-changed").optional("zoom", zoom)
      .optional("element", element)
    return frame.map { event.with("frame", .list($0.map(JSONValue.integer))) } ?? event
  }

  /// The user's preferred size of text has changed.
  public static func contentSizeChanged(_ category: String) -> Event {
    Event(type: "content-size-changed", [.init("category", .string(category))])
  }

  /// An action of the user, told by the program that takes keys and touches.
  ///
  /// - Parameters:
  ///   - action: The action: `next`, `activate`, `escape`, `stop`, `repeat`, and so on.
  ///   - app: The app that is meant; the app of the active window, unless told otherwise.
  ///   - element: The element that is meant.
  ///   - point: The place on the screen, for `touch`, from the left and from the top.
  ///   - name: The name of the element's own action, for `custom`.
  ///   - delivery: The delivery to repeat, for `repeat`; the last one, unless told otherwise.
  /// - Returns: The event.
  public static func action(
    _ action: String,
    app: String? = nil,
    element: String? = nil,
    point: (x: Int64, y: Int64)? = nil,
    name: String? = nil,
    of delivery: Int64? = nil
  ) -> Event {
    var event = Event(type: "action", [.init("action", .string(action))]).optional("app", app)
      .optional("element", element).optional("name", name)
    if let point { event = event.with("point", [.integer(point.x), .integer(point.y)]) }
    return delivery.map { event.with("of", .integer($0)) } ?? event
  }

  /// The level of do-not-disturb, from 0 for everything is heard to 100 for nothing; the bus ends
  /// it after a time, if one is given.
  public static func doNotDisturb(level: Int64, for time: Duration? = nil) -> Event {
    let event = Event(type: "do-not-disturb", [.init("level", .integer(level))])
    return time.map { event.with("for_ms", .integer($0.milliseconds)) } ?? event
  }

  /// A reader's report on a delivery.
  ///
  /// - Parameters:
  ///   - deliver: The seq of the `deliver` entry.
  ///   - state: The state of the speech.
  ///   - heard: The time for which it was spoken.
  ///   - mark: The mark of the text that the voice has passed last.
  ///   - reason: The reason of a loss or interruption, for the log.
  ///   - program: The program that presents it elsewhere.
  ///   - isEstimated: Whether the reader itself does not know the time or the end.
  /// - Returns: The event.
  public static func speech(
    of deliver: Int64,
    _ state: SpeechState,
    heard: Duration? = nil,
    mark: String? = nil,
    reason: String? = nil,
    by program: String? = nil,
    isEstimated: Bool = false
  ) -> Event {
    let event = Event(
      type: "speech",
      [.init("of", .integer(deliver)), .init("state", .string(state.rawValue))]
    )
    var told = heard.map { event.with("heard_ms", .integer($0.milliseconds)) } ?? event
    if isEstimated { told = told.with("estimated", true) }
    return told.optional("mark", mark).optional("reason", reason).optional("by", program)
  }

  /// A reader's report that the user reads by himself, without a delivery.
  public static func reading(_ state: SpeechState) -> Event {
    Event(type: "speech", [.init("reading", true), .init("state", .string(state.rawValue))])
  }

  /// The same event with a field, if it has a value.
  private func optional(_ name: String, _ value: String?) -> Event {
    value.map { with(name, .string($0)) } ?? self
  }
}

/// The states of a reader's speech.
public enum SpeechState: String, Hashable, Sendable, CaseIterable {
  /// The reader speaks.
  case started
  /// The reader has spoken to the end.
  case finished
  /// The speech was cut off.
  case interrupted
  /// The voice has failed: the bus delivers once more.
  case lost
  /// Another program presents the delivery.
  case elsewhere
  /// The reader is still speaking, and gets more time.
  case progress
}

/// The importance of an announcement.
public enum AnnouncementPriority: String, Hashable, Sendable, CaseIterable {
  /// News that is nice to know, and the first to give way.
  case low
  /// News that a user expects to hear.
  case `default`
  /// News that must not be missed, and interrupts.
  case high
}

/// The kind of news that an announcement brings; kinds are paced differently.
public struct AnnouncementClass: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The word on the wire.
  public let name: String

  /// A kind of the app's own, of small letters and hyphens, which is treated as a message.
  public init(stringLiteral name: String) { self.name = name }

  /// A kind by its word on the wire.
  public init(_ name: String) { self.name = name }

  /// An event that has happened.
  public static let message: AnnouncementClass = "message"
  /// A state that replaces the last one.
  public static let status: AnnouncementClass = "status"
  /// The progress of a task.
  public static let progress: AnnouncementClass = "progress"
  /// The time that is left.
  public static let timer: AnnouncementClass = "timer"
  /// The value of a control.
  public static let value: AnnouncementClass = "value"
  /// A message that a person wrote.
  public static let chat: AnnouncementClass = "chat"
  /// A hint at possible actions.
  public static let hint: AnnouncementClass = "hint"
  /// The words of a screen reader that speaks through the bus; for readers alone.
  public static let reading: AnnouncementClass = "reading"
}

/// The treatment of announcements with the same key that wait together.
public enum AnnouncementMode: String, Hashable, Sendable, CaseIterable {
  /// All are spoken.
  case all
  /// The newest replaces those that wait.
  case latest
  /// The newest replaces those that wait, and cuts off the one that is being spoken.
  case latestInterrupt = "latest-interrupt"
  /// The announcement that is being spoken is finished, then the newest is spoken.
  case currentThenLatest = "current-then-latest"
}

/// The cause of an event.
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

/// The states of a window.
public enum WindowState: String, Hashable, Sendable, CaseIterable {
  /// The window is open.
  case opened
  /// The user works in the window.
  case active
  /// The user works elsewhere.
  case inactive
  /// The window is gone.
  case closed
}

/// The safety of an event when its reply comes.
public enum AcknowledgementLevel: String, Hashable, Sendable, CaseIterable {
  /// The event has its seq, in memory.
  case received
  /// The event survives the end of the bus; the default.
  case written
  /// The event survives a power cut.
  case synced
}
