// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The vocabulary as JSON Schemas, read off the same tables that lines are checked against.
public enum Description {
  /// Writes the members of the answer to `describe` that are about the lines of clients.
  ///
  /// `answer` gives the schema of the object `ok` in the reply to an operation.
  public static func writeVocabulary(
    answer: (Operation) -> ObjectSchema,
    into out: inout ByteBuffer
  ) {
    out.object("codes") { out in
      for code in RefusalCode.allCases {
        out.append(memberText: code.rawValue)
        out.append(json: code.advice.description)
      }
    }
    out.appendSchemas("ops", Operation.allCases.map { ($0.rawValue, request($0, answer($0))) })
    out.appendSchemas("events", EventType.allCases.map { ($0.rawValue, event($0)) })
  }

  /// Writes the bounds of the wire as one object.
  public static func writeLimits(_ quotas: Quotas, into out: inout ByteBuffer) {
    out.object {
      for limit in Limits.Told.all { $0.append(member: limit.name, Int64(limit.value(quotas))) }
    }
  }

  /// The schema of a request line; that of `ok` in its reply is its definition of this name.
  private static func request(_ operation: Operation, _ answer: ObjectSchema) -> ObjectSchema {
    let name = operation.rawValue
    var schema = ObjectSchema(
      Schema.request(operation),
      named: name,
      form: .published,
      before: [
        .always("op", .constant(name), "The operation."),
        .maybe("id", .anyOf([.null, .text(1...Limits.idBytes), .anyInteger]), idMeaning),
      ]
    )
    schema.meaning = operation.summary.description
    schema.others = [("ok", answer)]
    return schema
  }

  private static let idMeaning =
    "The client's own number or name for the request, which the reply repeats; without it, success "
    + "is silent."

  /// The schema of an event as clients publish it; that of the event on the log is its definition
  /// `stored`.
  private static func event(_ type: EventType) -> ObjectSchema {
    let fields = Schema.event(type)
    var schema = ObjectSchema(fields, named: type.rawValue, form: .published)
    schema.meaning = type.summary.description
    var stored = ObjectSchema(fields, named: type.rawValue, form: .stored)
    stored.meaning = "The event as it stands in entries of the log."
    schema.others = [("stored", stored)]
    return schema
  }

  /// The schema of the error in a reply or a farewell.
  public static let error = ObjectSchema([
    .always("code", .words(RefusalCode.allCases.map(\.rawValue)), "The kind of the refusal."),
    .maybe("field", .anyText, "The path to the field that is meant, from the request."),
    .always("msg", .anyText, "A sentence for people: what was expected, and what came."),
    .maybe("retry_ms", .count, "How long to wait, where waiting helps, in milliseconds."),
    .maybe("epoch", .epoch, "The epoch of the log, for cursor.epoch."),
    .maybe("last", .count, "The last seq that there is, for cursor.future and seq.unknown."),
  ])

  /// The schema of the bounds in the answer to `hello`.
  public static let limits = ObjectSchema(
    Limits.Told.all.map { .always($0.name.description, .count, $0.meaning.description) }
  )

  /// The schema of runs of text as the bus writes them.
  public static let run = ObjectSchema(
    Schema.record(.run),
    named: "run",
    form: .spoken,
    before: []
  )
}

extension ObjectSchema {
  /// The place in which an object stands, which bears on its fields.
  fileprivate enum Form {
    /// In a request: unknown fields are ignored.
    case published
    /// On the log: known fields alone, and lengths in the place of secret texts.
    case stored
    /// In a `deliver` entry.
    case spoken
  }

  fileprivate init(
    _ fields: Fields,
    named object: String,
    form: Form,
    before: [Member] = []
  ) {
    let hides = form != .published && fields.all.contains { $0.isSpoken } || form == .spoken
    var members = before
    for field in fields.all {
      let name = field.name.description
      let value =
        name == "type" ? .constant(object) : JSONSchema(field.shape, form: form)
      let isRequired = field.isRequired && !(hides && (field.isSpoken || form == .spoken))
      members.append(
        Member(
          name,
          field.isRemovable ? .orNull(value) : value,
          Meanings.find(field.name, of: object),
          required: isRequired
        )
      )
    }
    if hides { members.append(.redacted) }
    self.init(members, isOpen: form == .published)
    needsOneOf = fields.names(fields.needsOneOf)
    if hides, !needsOneOf.isEmpty { needsOneOf.append("redacted") }
    atMostOneOf = fields.names(fields.atMostOneOf)
  }

  /// The schema of an object within a request or an event.
  fileprivate init(_ record: Shape.Record, form: Form) {
    guard case .event = record else {
      self.init(Schema.record(record), named: record.name, form: form)
      return
    }
    let types = EventType.allCases.map(\.rawValue)
    self.init([.always("type", .words(types), Meanings.find("type", of: "event"))], isOpen: true)
  }
}

extension ObjectSchema.Member {
  /// Stands in the place of a secret text.
  fileprivate static let redacted = maybe(
    "redacted",
    .words(LengthClass.allCases.map(\.rawValue)),
    "The number of characters of the texts that were left out, roughly."
  )
}

extension JSONSchema {
  /// The schema of a field's values.
  ///
  /// JSON Schema counts characters where the wire counts bytes; no text of so many bytes has more.
  fileprivate init(_ shape: Shape, form: ObjectSchema.Form) {
    self =
      switch shape {
      case .flag: .flag
      case .checked: .anyOf([.flag, .words(["mixed"])])
      case .number: .number
      case .seq: .seq
      case .integer(let range): .integer(range)
      case .cause: .anyOf([.words(["auto", "user"]), .seq])
      case .name(let bytes): .text(1...bytes)
      case .label(let bytes): .line(1...bytes)
      case .text(let bytes): .text(0...bytes)
      case .word: .pattern("^[a-z-]{1,32}$")
      case .oneOf(let set): .words(set.words.map(\.description))
      case .speakable:
        .anyOf([
          .text(1...Limits.textBytes),
          .list(.object(ObjectSchema(.run, form: form)), 1...Int.max),
        ])
      case .integers(let count): .list(.anyInteger, count...count)
      case .list(.name(let bytes)): .list(.text(1...bytes))
      case .list(.oneOf(let set)): .list(.words(set.words.map(\.description)))
      case .list(.integer): .list(.anyInteger)
      case .list(.object(let record)): .list(.object(ObjectSchema(record, form: form)))
      case .object(let record): .object(ObjectSchema(record, form: form))
      }
  }
}

extension Shape.Record {
  /// The name of the object in the table of meanings.
  fileprivate var name: String {
    switch self {
    case .event: "event"
    case .filter: "filter"
    case .element: "element"
    case .place: "set"
    case .run: "run"
    }
  }
}
