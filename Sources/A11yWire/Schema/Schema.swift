// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The fields of requests, events and the objects in them: the vocabulary of protocol version 1.
public enum Schema {
  // MARK: Events

  /// An event's fields: its type, its own, and those that any event may have.
  static func event(
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
    case .event: anyEvent
    }
  }

  /// What an event has whatever its type is.
  private static let anyEvent = event([])

  private static let element = Fields([
    Field("id", .name(bytes: Limits.nameBytes), required: true),
    Field("parent", .name(bytes: Limits.nameBytes), removable: true),
    Field("index", .integer(0...Int64.max), removable: true),
    Field("label", .text(bytes: Limits.labelBytes), spoken: true, removable: true),
    Field("value", .text(bytes: Limits.labelBytes), spoken: true, removable: true),
    Field("hint", .text(bytes: Limits.labelBytes), spoken: true, removable: true),
    Field("traits", .list(.oneOf(.trait)), removable: true),
    Field("role", .word, removable: true),
    Field("checked", .flagOr(.checked), removable: true),
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
    Field("punctuation", .flagOr(.punctuation)),
    Field("ipa", .label(bytes: Limits.labelBytes)),
    Field("lang", .label(bytes: Limits.idBytes)),
    Field("pitch", .number),
    Field("pitch_range", .number),
    Field("rate", .number),
    Field("volume", .number),
    Field("voice", .label(bytes: Limits.nameBytes)),
    Field("capitals", .oneOf(.capitals)),
    Field("as", .oneOf(.utterance)),
    Field("mark", .label(bytes: Limits.nameBytes)),
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
