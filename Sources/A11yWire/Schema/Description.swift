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
    let fields = type.fields
    var schema = ObjectSchema(fields, named: type.rawValue, form: .published)
    schema.meaning = type.row.summary.description
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
      case .flagOr(let set): .anyOf([.flag, .words(set.words.map(\.description))])
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

/// A JSON Schema of one value, as far as the vocabulary of the bus needs them.
public indirect enum JSONSchema: Sendable {
  case null, flag, number, anything
  case integer(ClosedRange<Int64>)
  /// A string of so many characters.
  case text(ClosedRange<Int>)
  /// A string of so many characters, none of them a control character.
  case line(ClosedRange<Int>)
  case pattern(String)
  case words([String])
  case constant(String)
  /// A list of so many values; of any number without a count.
  case list(JSONSchema, ClosedRange<Int>? = nil)
  case object(ObjectSchema)
  /// An object whose names are values themselves.
  case map(of: JSONSchema)
  case anyOf([JSONSchema])

  public static let seq = integer(1...Int64.max)
  public static let count = integer(0...Int64.max)
  public static let anyInteger = integer(Int64.min...Int64.max)
  public static let anyText = text(0...Int.max)
  public static let name = text(1...Limits.nameBytes)
  public static let epoch = pattern("^[0-9a-f]{32}$")
  public static let cursor = pattern("^[0-9a-f]{32}:[0-9]+$")

  public static func orNull(_ schema: JSONSchema) -> JSONSchema { anyOf([.null, schema]) }
}

/// A schema of an object.
public struct ObjectSchema: Sendable {
  public struct Member: Sendable {
    let name: String
    let value: JSONSchema
    let meaning: String
    let isRequired: Bool

    public init(_ name: String, _ value: JSONSchema, _ meaning: String, required: Bool) {
      self.name = name
      self.value = value
      self.meaning = meaning
      isRequired = required
    }

    /// A member that is always there.
    public static func always(_ name: String, _ value: JSONSchema, _ meaning: String) -> Member {
      Member(name, value, meaning, required: true)
    }

    /// A member that may be absent.
    public static func maybe(_ name: String, _ value: JSONSchema, _ meaning: String) -> Member {
      Member(name, value, meaning, required: false)
    }
  }

  public var members: [Member]
  /// The object as a whole, in a sentence.
  public var meaning: String?
  /// Whether it may have members that are not named here.
  public var isOpen: Bool
  /// At least one of these members must be there.
  public var needsOneOf: [String] = []
  /// No two of these members may be there together.
  public var atMostOneOf: [String] = []
  /// Schemas of other lines that belong to this one, by their names.
  public var others: [(name: String, schema: ObjectSchema)] = []

  public init(_ members: [Member], meaning: String? = nil, isOpen: Bool = false) {
    self.members = members
    self.meaning = meaning
    self.isOpen = isOpen
  }

  /// The members behind `type`, for an event of the bus's own.
  public static func event(
    _ type: EventType.Own,
    _ meaning: String,
    _ members: [Member]
  ) -> (name: String, schema: ObjectSchema) {
    let kind = Member.always("type", .constant(type.rawValue), "The type of the event.")
    return (type.rawValue, ObjectSchema([kind] + members, meaning: meaning))
  }
}

extension ByteBuffer {
  /// Appends a member with a schema for each name.
  public mutating func appendSchemas(
    _ name: StaticString,
    _ schemas: [(name: String, schema: ObjectSchema)]
  ) {
    object(name) { out in
      for (name, schema) in schemas {
        out.append(memberText: name)
        out.object { out in
          out.append(member: "$schema", "https://json-schema.org/draft/2020-12/schema")
          out.appendKeywords(of: schema)
        }
      }
    }
  }

  private mutating func appendSchema(_ schema: JSONSchema, _ meaning: String? = nil) {
    object { out in
      if let meaning { out.append(member: "description", meaning) }
      out.appendKeywords(of: schema)
    }
  }

  private mutating func appendKeywords(of schema: JSONSchema) {
    switch schema {
    case .anything: break
    case .null: append(member: "type", "null")
    case .flag: append(member: "type", "boolean")
    case .number: append(member: "type", "number")
    case .integer(let range):
      append(member: "type", "integer")
      if range.lowerBound != .min { append(member: "minimum", range.lowerBound) }
      if range.upperBound != .max { append(member: "maximum", range.upperBound) }
    case .text(let range): appendText(of: range)
    case .line(let range):
      appendText(of: range)
      append(member: "pattern", #"^[^\u0000-\u001f\u007f-\u009f]*$"#)
    case .pattern(let pattern):
      append(member: "type", "string")
      append(member: "pattern", pattern)
    case .words(let words):
      append(member: "type", "string")
      append(member: "enum", words)
    case .constant(let word): append(member: "const", word)
    case .list(let item, let count):
      append(member: "type", "array")
      append(member: "items")
      appendSchema(item)
      guard let count else { return }
      append(member: "minItems", Int64(count.lowerBound))
      if count.upperBound != .max { append(member: "maxItems", Int64(count.upperBound)) }
    case .object(let object): appendKeywords(of: object)
    case .map(let value):
      append(member: "type", "object")
      append(member: "additionalProperties")
      appendSchema(value)
    case .anyOf(let schemas): array("anyOf", of: schemas) { $0.appendSchema($1) }
    }
  }

  private mutating func appendText(of range: ClosedRange<Int>) {
    append(member: "type", "string")
    if range.lowerBound > 0 { append(member: "minLength", Int64(range.lowerBound)) }
    if range.upperBound != .max { append(member: "maxLength", Int64(range.upperBound)) }
  }

  private mutating func appendKeywords(of schema: ObjectSchema) {
    if let meaning = schema.meaning { append(member: "description", meaning) }
    append(member: "type", "object")
    object("properties") { out in
      for member in schema.members {
        out.append(memberText: member.name)
        out.appendSchema(member.value, member.meaning)
      }
    }
    append(member: "required", schema.members.filter(\.isRequired).map(\.name))
    if !schema.isOpen { append(member: "additionalProperties", false) }
    if !schema.needsOneOf.isEmpty {
      array("anyOf", of: schema.needsOneOf) { out, name in
        out.object { $0.append(member: "required", [name]) }
      }
    }
    if !schema.atMostOneOf.isEmpty {
      object("not") { $0.append(member: "required", schema.atMostOneOf) }
    }
    guard !schema.others.isEmpty else { return }
    object("$defs") { out in
      for (name, schema) in schema.others {
        out.append(memberText: name)
        out.object { $0.appendKeywords(of: schema) }
      }
    }
  }
}
