// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The fields of requests, events and the objects in them: the vocabulary of protocol version 1.
public enum Schema {
  // MARK: Events

  /// The fields of an event of `type`: first the type, then its own, then the common ones.
  public static func event(_ type: EventType) -> Fields {
    switch type {
    case .announcement: announcement
    case .layoutChanged: layoutChanged
    case .screenChanged: screenChanged
    case .pageScrolled: pageScrolled
    case .focusChanged: focusChanged
    case .voiceOverStatus: voiceOverStatus
    case .elements: elements
    case .window: window
    case .handled: handled
    case .busy: busy
    case .pause, .resume: bare
    case .cancel: cancel
    case .zoomFocusChanged: zoomFocusChanged
    case .contentSizeChanged: contentSizeChanged
    case .action: action
    case .doNotDisturb: doNotDisturb
    case .speech: speech
    }
  }

  private static let announcement = event([
    Field("text", .speakable, required: true, spoken: true),
    Field("priority", .oneOf(.priority)),
    Field("queue", .flag),
    Field("class", .word),
    Field("mode", .oneOf(.mode)),
    Field("final", .flag),
  ])

  private static let layoutChanged = event(
    [Field("text", .speakable, spoken: true)],
    atMostOneOf: ["element", "text"]
  )

  private static let screenChanged = event(
    [Field("text", .speakable, spoken: true), Field("modal", .flag)],
    atMostOneOf: ["element", "text"]
  )

  private static let pageScrolled = event([
    Field("text", .speakable, spoken: true), Field("continuous", .flag),
  ])

  private static let focusChanged = event([], requiring: "element")

  private static let voiceOverStatus = event([
    Field("running", .flag, required: true),
    Field("reader", .label(bytes: Limits.nameBytes)),
  ])

  private static let elements = event(
    [
      Field("upsert", .list(.object(.element))),
      Field("remove", .list(.name(bytes: Limits.nameBytes))),
      Field("replace", .list(.object(.element))),
    ],
    requiring: "window",
    needsOneOf: ["upsert", "remove", "replace"]
  )

  private static let window = event(
    [
      Field("state", .oneOf(.windowState)),
      Field("title", .text(bytes: Limits.labelBytes), spoken: true),
      Field("modal", .flag),
    ],
    requiring: "window",
    needsOneOf: ["state", "title", "modal"]
  )

  private static let handled = event([
    Field("of", .seq, required: true), Field("handled", .flag, required: true),
  ])

  private static let busy = event([Field("busy", .flag, required: true)], requiring: "element")

  private static let bare = event([])

  private static let cancel = event([Field("of", .seq, required: true)])

  private static let zoomFocusChanged = event(
    [Field("zoom", .word), Field("frame", .integers(count: 4))],
    needsOneOf: ["zoom", "frame", "element"]
  )

  private static let contentSizeChanged = event([
    Field("category", .label(bytes: Limits.nameBytes), required: true)
  ])

  private static let action = event([
    Field("action", .oneOf(.action), required: true),
    Field("app", .label(bytes: Limits.nameBytes)),
    Field("point", .integers(count: 2)),
    Field("name", .label(bytes: Limits.nameBytes), spoken: true),
    Field("of", .seq),
  ])

  private static let doNotDisturb = event([
    Field("level", .integer(0...100), required: true),
    Field("for_ms", .integer(Limits.timeToLive)),
  ])

  private static let speech = event(
    [
      Field("of", .seq),
      Field("reading", .flag),
      Field("state", .oneOf(.speechState), required: true),
      Field("heard_ms", .integer(0...Int64.max)),
      Field("estimated", .flag),
      Field("reason", .label(bytes: Limits.nameBytes)),
      Field("by", .label(bytes: Limits.nameBytes)),
    ],
    needsOneOf: ["of", "reading"],
    atMostOneOf: ["of", "reading"]
  )

  /// An event's fields: its type, its own, and those that any event may have.
  private static func event(
    _ own: [Field],
    requiring required: StaticString = "type",
    needsOneOf: [StaticString] = [],
    atMostOneOf: [StaticString] = []
  ) -> Fields {
    let common = [
      Field("window", .name(bytes: Limits.nameBytes)),
      Field("element", .name(bytes: Limits.nameBytes)),
      Field("cause", .cause),
      Field("basis", .seq),
      Field("key", .name(bytes: Limits.nameBytes)),
      Field("ttl_ms", .integer(Limits.timeToLive)),
      Field("sensitive", .flag),
      Field("foreground", .flag),
      Field("origin", .word),
    ].map { field in
      field.name.description == required.description
        ? Field(field.name, field.shape, required: true) : field
    }
    let type = Field("type", .oneOf(.type), required: true)
    return Fields([type] + own + common, needsOneOf: needsOneOf, atMostOneOf: atMostOneOf)
  }

  // MARK: Objects in events and requests

  public static func record(_ record: Shape.Record) -> Fields {
    switch record {
    case .element: element
    case .place: place
    case .run: run
    case .filter: filter
    case .event: bare
    }
  }

  private static let element = Fields([
    Field("id", .name(bytes: Limits.nameBytes), required: true),
    Field("parent", .name(bytes: Limits.nameBytes), removable: true),
    Field("index", .integer(0...Int64.max), removable: true),
    Field("label", .text(bytes: Limits.labelBytes), spoken: true, removable: true),
    Field("value", .text(bytes: Limits.labelBytes), spoken: true, removable: true),
    Field("hint", .text(bytes: Limits.labelBytes), spoken: true, removable: true),
    Field("traits", .list(.oneOf(.trait)), removable: true),
    Field("role", .word, removable: true),
    Field("checked", .checked, removable: true),
    Field("expanded", .flag, removable: true),
    Field("required", .flag, removable: true),
    Field("invalid", .flag, removable: true),
    Field("set", .object(.place), removable: true),
    Field("frame", .integers(count: 4), removable: true),
    Field("modal", .flag, removable: true),
    Field("hidden", .flag, removable: true),
    Field("accessible", .flag, removable: true),
    Field("lang", .label(bytes: Limits.idBytes), removable: true),
    Field("actions", .list(.name(bytes: Limits.nameBytes)), spoken: true, removable: true),
    Field("responds", .list(.oneOf(.gestureResponse)), removable: true),
  ])

  private static let place = Fields([
    Field("index", .integer(1...Int64(Int32.max)), required: true),
    Field("count", .integer(1...Int64(Int32.max)), required: true),
  ])

  private static let run = Fields([
    Field("text", .text(bytes: Limits.textBytes), required: true),
    Field("spell", .flag),
    Field("punctuation", .flag),
    Field("ipa", .label(bytes: Limits.labelBytes)),
    Field("lang", .label(bytes: Limits.idBytes)),
    Field("pitch", .number),
  ])

  private static let filter = Fields([
    Field("types", .list(.oneOf(.type))),
    Field("apps", .list(.name(bytes: Limits.nameBytes))),
    Field("windows", .list(.name(bytes: Limits.nameBytes))),
    Field("elements", .list(.name(bytes: Limits.nameBytes))),
    Field("priorities", .list(.oneOf(.priority))),
  ])

  // MARK: Requests

  /// The fields of a request beside `id` and `op`.
  public static func request(_ operation: Operation) -> Fields {
    switch operation {
    case .hello: hello
    case .publish: publish
    case .subscribe: subscribe
    case .state: state
    case .explain: explain
    case .forget: forget
    case .unsubscribe, .ping, .stats, .describe, .rules, .reload: nothing
    }
  }

  private static let hello = Fields(HelloField.self)
  private static let publish = Fields(PublishField.self)
  private static let subscribe = Fields(SubscribeField.self)
  private static let state = Fields(StateField.self)
  private static let explain = Fields(ExplainField.self)
  private static let forget = Fields(ForgetField.self, needsOneOf: ForgetField.allCases)
  private static let nothing = Fields([])
}
