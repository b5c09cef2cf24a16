// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

// One function for each type that can be published.
extension Event {
  /// Something that the user should hear.
  ///
  /// - Parameters:
  ///   - text: What to speak; short, and without the names of controls.
  ///   - priority: How much it matters.
  ///   - kind: What kind of news it is.
  ///   - mode: What becomes of those with the same key that wait together.
  ///   - queue: Whether it waits for an announcement that is being spoken instead of cutting it.
  ///   - final: Whether it is the last value of its kind, which is always delivered.
  /// - Returns: The event, to which what applies to any event may be added.
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

  /// Something that the user should hear, in a text made at run time.
  public static func announcement(_ text: String, priority: AnnouncementPriority? = nil) -> Event {
    announcement(SpeechText(text), priority: priority)
  }

  /// Part of a window has changed; with `focusOn` the focus is asked to go there.
  public static func layoutChanged(window: String? = nil, focusOn element: String? = nil) -> Event {
    Event(type: "layout-changed").optional("window", window).optional("element", element)
  }

  /// Part of a window has changed, and this is to be spoken.
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

  /// All of a window has changed, and this is to be spoken.
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

  /// Elements of a window are new or have changed, others are gone.
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

  /// These are all the elements of a window.
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

  /// Withdraws an event of one's own.
  public static func cancel(_ seq: Int64) -> Event {
    Event(type: "cancel", [.init("of", .integer(seq))])
  }

  /// What the screen magnifier should show.
  ///
  /// - Parameters:
  ///   - zoom: What kind of magnification it is for.
  ///   - element: The element to show.
  ///   - frame: Left, top, width and height of what is to be shown.
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

  /// The user does something, told by what controls the screen for the user.
  ///
  /// - Parameters:
  ///   - action: What: `next`, `activate`, `escape`, `stop`, `repeat`, and so on.
  ///   - app: The app that is meant; that of the active window, unless told otherwise.
  ///   - element: The element that is meant.
  ///   - point: The place on the screen, for `touch`, from the left and from the top.
  ///   - name: Which of the element's own actions, for `custom`.
  ///   - delivery: What is to be repeated, for `repeat`; the last delivery, unless told otherwise.
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

  /// How much may disturb the user: from 0, everything, to 100, nothing; the bus ends it after a time,
  /// if one is given.
  public static func doNotDisturb(level: Int64, for time: Duration? = nil) -> Event {
    let event = Event(type: "do-not-disturb", [.init("level", .integer(level))])
    return time.map { event.with("for_ms", .integer($0.milliseconds)) } ?? event
  }

  /// A reader's report on something that it was given to speak.
  ///
  /// - Parameters:
  ///   - deliver: The seq of the entry that gave it.
  ///   - state: How far the reader is.
  ///   - heard: How much of it was heard.
  ///   - reason: Why it was lost or interrupted, for the log.
  ///   - program: The program that presents it elsewhere.
  /// - Returns: The event.
  public static func speech(
    of deliver: Int64,
    _ state: SpeechState,
    heard: Duration? = nil,
    reason: String? = nil,
    by program: String? = nil
  ) -> Event {
    let event = Event(
      type: "speech",
      [.init("of", .integer(deliver)), .init("state", .string(state.rawValue))]
    )
    let told = heard.map { event.with("heard_ms", .integer($0.milliseconds)) } ?? event
    return told.optional("reason", reason).optional("by", program)
  }

  /// A reader's report that the user reads without having been given anything.
  public static func reading(_ state: SpeechState) -> Event {
    Event(type: "speech", [.init("reading", true), .init("state", .string(state.rawValue))])
  }

  /// The same event with a field, if there is a value for it.
  private func optional(_ name: String, _ value: String?) -> Event {
    value.map { with(name, .string($0)) } ?? self
  }
}

/// How far a reader has come with speaking.
public enum SpeechState: String, Hashable, Sendable, CaseIterable {
  /// It speaks.
  case started
  /// It has spoken to the end.
  case finished
  /// It was cut off.
  case interrupted
  /// The voice has failed: the bus offers it once more.
  case lost
  /// Another program presents it.
  case elsewhere
  /// It is still speaking, which gives it more time.
  case progress
}
