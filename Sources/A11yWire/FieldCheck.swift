// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Names of unknown fields in the order of the line, kept until the client was warned of them.
public typealias UnknownFields = [String]

extension UnknownFields {
  /// Prefixes the names from `start` on with the path of the object around them.
  public mutating func prefix(_ outer: @autoclosure () -> String, from start: Int) {
    guard count > start else { return }
    let outer = outer()
    for index in start..<count { self[index] = outer + self[index] }
  }
}

extension String {
  /// The longest prefix of whole scalars that has at most `limit` bytes.
  ///
  /// A number of characters would be no bound: one letter can carry any number of accents.
  fileprivate func prefix(utf8Bytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var start = UnicodeScalarView()
    var bytes = 0
    for scalar in unicodeScalars {
      bytes += UTF8.width(scalar)
      guard bytes <= limit else { break }
      start.append(scalar)
    }
    return String(start)
  }
}

// One walk checks a value and writes it down: unknown fields are left out, known ones follow the
// schema's order, and every scalar is copied as it came.
extension JSONDocument {
  /// Finds the known fields of `object`, and adds the names of the others to `unknown`.
  ///
  /// In a request, `id` and `op` are known beside the fields of its operation.
  public func slots(
    of object: JSONIndex,
    _ fields: Fields,
    unknown: inout UnknownFields
  ) -> Slots {
    var slots = Slots()
    let behind = end(object)
    var key = object + 1
    while key < behind {
      if object == root, isEnvelope(key) {
        // Read already.
      } else if let field = field(key, fields) {
        slots.fill(field, key + 1)
      } else if unknown.count < Limits.warnedFields {
        unknown.append(string(key).prefix(utf8Bytes: Limits.nameBytes))
      }
      key = end(key + 1)
    }
    return slots
  }

  private func field(_ key: JSONIndex, _ fields: Fields) -> Int? {
    guard isEscaped(key) else { return fields.index(of: raw(key)) }
    return fields.index(of: Array(string(key).utf8).span)
  }

  /// Refuses an object that lacks a required field, or has two that exclude each other.
  public func checkPresence(_ fields: Fields, _ slots: Slots) throws(Refusal) {
    if let missing = fields.required.subtracting(slots.present).first {
      let field = fields.all[missing]
      throw Refusal(
        .fieldMissing,
        field: field.name.description,
        "expected \(field.shape.expected)"
      )
    }
    if let first = fields.needsOneOf.first, fields.needsOneOf.isDisjoint(with: slots.present) {
      throw Refusal(
        .fieldMissing,
        field: fields.all[first].name.description,
        "expected \(fields.names(fields.needsOneOf).joined(separator: " or "))"
      )
    }
    let together = fields.atMostOneOf.intersection(slots.present)
    if together.count > 1, let first = together.first {
      throw Refusal(
        .fieldInvalid,
        field: fields.all[first].name.description,
        "expected only one of \(fields.names(fields.atMostOneOf).joined(separator: " and "))"
      )
    }
  }

  /// Checks and writes the known members of an object, without its braces; scalars that were
  /// checked before are only written.
  public func writeMembers(
    of fields: Fields,
    _ slots: Slots,
    checked: FieldSet = [],
    secrecy: Secrecy,
    into out: inout ByteBuffer,
    unknown: inout UnknownFields
  ) throws(Refusal) {
    try checkPresence(fields, slots)
    var hidden = 0
    var left = slots.present
    while let index = left.first {
      left = left.rest
      guard let value = slots[index] else { continue }
      let field = fields.all[index]
      if checked.contains(FieldSet(field: index)) {
        out.append(member: field.name)
        copy(value, into: &out)
        continue
      }
      if secrecy.hides(field), !isNothing(value) {
        try check(value, field, unknown: &unknown)
        hidden += characters(value)
        continue
      }
      out.append(member: field.name)
      try writeValue(value, field, secrecy: secrecy, into: &out, unknown: &unknown)
    }
    if hidden > 0 {
      out.append(member: "redacted", LengthClass(characters: hidden).rawValue)
    }
  }

  /// Whether a value has nothing to hide: a null, which takes a text away, or an empty text.
  private func isNothing(_ value: JSONIndex) -> Bool {
    kind(value) == .null || kind(value) == .string && raw(value).isEmpty
      || kind(value) == .list && characters(value) == 0
  }

  /// Checks a value without writing it.
  public func check(
    _ value: JSONIndex,
    _ field: Field,
    unknown: inout UnknownFields
  ) throws(Refusal) {
    var nowhere = ByteBuffer(capacity: 256)
    try writeValue(value, field, secrecy: .none, into: &nowhere, unknown: &unknown)
  }

  private func writeValue(
    _ value: JSONIndex,
    _ field: Field,
    secrecy: Secrecy,
    into out: inout ByteBuffer,
    unknown: inout UnknownFields
  ) throws(Refusal) {
    if field.isRemovable, kind(value) == .null {
      out.append("null")
      return
    }
    switch field.shape {
    case .flag, .flagOr, .integer, .number, .seq, .cause, .name, .text, .label, .word, .oneOf:
      guard admits(value, field.shape) else { throw refusal(value, field) }
      copy(value, into: &out)
    case .speakable:
      try writeSpeech(value, field, into: &out, unknown: &unknown)
    case .integers(let count):
      guard kind(value) == .list, self.count(value) == count else { throw refusal(value, field) }
      try writeList(value, .integer, field, secrecy: secrecy, into: &out, unknown: &unknown)
    case .list(let item):
      guard kind(value) == .list else { throw refusal(value, field) }
      try writeList(value, item, field, secrecy: secrecy, into: &out, unknown: &unknown)
    case .object(let record):
      guard kind(value) == .object else { throw refusal(value, field) }
      let known = unknown.count
      defer { unknown.prefix("\(field.name).", from: known) }
      do throws(Refusal) {
        try writeObject(value, record, secrecy: secrecy, into: &out, unknown: &unknown)
      } catch {
        throw error.inside(field.name.description)
      }
    }
  }

  /// Writes a string, or runs of which at least one has a text.
  private func writeSpeech(
    _ value: JSONIndex,
    _ field: Field,
    into out: inout ByteBuffer,
    unknown: inout UnknownFields
  ) throws(Refusal) {
    switch kind(value) {
    case .string:
      guard (1...Limits.textBytes).contains(byteCount(value)) else {
        throw refusal(value, field)
      }
      copy(value, into: &out)
    case .list:
      try writeList(
        value,
        .object(.run),
        field,
        secrecy: .none,
        into: &out,
        unknown: &unknown
      )
      guard characters(value) > 0 else { throw refusal(value, field) }
    case .object, .number, .yes, .no, .null:
      throw refusal(value, field)
    }
  }

  private func writeList(
    _ list: JSONIndex,
    _ item: Shape.Item,
    _ field: Field,
    secrecy: Secrecy,
    into out: inout ByteBuffer,
    unknown: inout UnknownFields
  ) throws(Refusal) {
    out.append("[")
    let known = unknown.count
    defer { unknown.prefix("\(field.name)[].", from: known) }
    var position = 0
    var value = list + 1
    while value < end(list) {
      if position > 0 { out.append(",") }
      do throws(Refusal) {
        try writeItem(value, item, secrecy: secrecy, into: &out, unknown: &unknown)
      } catch {
        throw error.inside("\(field.name)[\(position)]")
      }
      position += 1
      value = end(value)
    }
    out.append("]")
  }

  private func writeItem(
    _ value: JSONIndex,
    _ item: Shape.Item,
    secrecy: Secrecy,
    into out: inout ByteBuffer,
    unknown: inout UnknownFields
  ) throws(Refusal) {
    let shape: Shape
    switch item {
    case .name(let bytes): shape = .name(bytes: bytes)
    case .oneOf(let set): shape = .oneOf(set)
    case .integer: shape = .integer(Int64.min...Int64.max)
    case .object(let record):
      guard kind(value) == .object else {
        throw Refusal(.fieldInvalid, "expected an object; got \(excerpt(value))")
      }
      try writeObject(value, record, secrecy: secrecy, into: &out, unknown: &unknown)
      return
    }
    guard admits(value, shape) else {
      throw Refusal(.fieldInvalid, "expected \(shape.expected); got \(excerpt(value))")
    }
    copy(value, into: &out)
  }

  private func writeObject(
    _ object: JSONIndex,
    _ record: Shape.Record,
    secrecy: Secrecy,
    into out: inout ByteBuffer,
    unknown: inout UnknownFields
  ) throws(Refusal) {
    let fields = Schema.record(record)
    let slots = self.slots(of: object, fields, unknown: &unknown)
    out.append("{")
    try writeMembers(
      of: fields,
      slots,
      secrecy: record == .element ? secrecy.within(name("id", of: object)) : secrecy,
      into: &out,
      unknown: &unknown
    )
    out.append("}")
  }

  /// Whether a scalar has this shape.
  public func admits(_ value: JSONIndex, _ shape: Shape) -> Bool {
    switch shape {
    case .flag: kind(value) == .yes || kind(value) == .no
    case .flagOr(let set): admits(value, .flag) || admits(value, .oneOf(set))
    case .integer(let range): integer(value).map(range.contains) ?? false
    case .number: kind(value) == .number
    case .seq: integer(value).map { $0 >= 1 } ?? false
    case .cause:
      kind(value) == .number
        ? integer(value).map { $0 >= 1 } ?? false
        : kind(value) == .string && (isKey(value, "auto") || isKey(value, "user"))
    case .name(let bytes): kind(value) == .string && (1...bytes).contains(byteCount(value))
    case .text(let bytes): kind(value) == .string && byteCount(value) <= bytes
    case .label(let bytes):
      kind(value) == .string && (1...bytes).contains(byteCount(value)) && !hasControls(value)
    case .word: kind(value) == .string && isWord(value)
    case .oneOf(let set): kind(value) == .string && isOne(of: set, value)
    case .speakable, .integers, .list, .object: false
    }
  }

  private func isOne(of set: WordSet, _ value: JSONIndex) -> Bool {
    guard isEscaped(value) else { return set.contains(raw(value)) }
    return set.contains(Array(string(value).utf8).span)
  }

  private func isWord(_ value: JSONIndex) -> Bool {
    guard (1...32).contains(byteCount(value)) else { return false }
    if isEscaped(value) { return Array(string(value).utf8).span.isWord }
    return raw(value).isWord
  }

  private func hasControls(_ value: JSONIndex) -> Bool {
    string(value).unicodeScalars.contains { $0.value < 32 || (127..<160).contains($0.value) }
  }

  /// Copies a scalar as it was written.
  public func copy(_ value: JSONIndex, into out: inout ByteBuffer) {
    guard kind(value) == .string else {
      out.append(raw(value))
      return
    }
    out.append(quoted: raw(value))
  }

  /// The number of characters of a text, or of the texts of all its runs.
  public func characters(_ value: JSONIndex) -> Int {
    switch kind(value) {
    case .string: return string(value).unicodeScalars.count
    case .list:
      var sum = 0
      var run = value + 1
      while run < end(value) {
        if kind(run) == .string {
          sum += characters(run)
        } else if let text = member("text", of: run) {
          sum += characters(text)
        }
        run = end(run)
      }
      return sum
    case .object, .number, .yes, .no, .null: return 0
    }
  }

  private func refusal(_ value: JSONIndex, _ field: Field) -> Refusal {
    Refusal(
      .fieldInvalid,
      field: field.name.description,
      "expected \(field.shape.expected); got \(excerpt(value))"
    )
  }

  /// The value in the words of a refusal, short enough to be read aloud.
  public func excerpt(_ value: JSONIndex) -> String {
    switch kind(value) {
    case .object: return "an object"
    case .list: return count(value) == 0 ? "an empty list" : "a list of \(count(value))"
    case .string:
      let text = string(value)
      return text.isEmpty
        ? "an empty string"
        : text.unicodeScalars.count > 40
          ? "\"\(String(String.UnicodeScalarView(text.unicodeScalars.prefix(40))))…\" "
            + "(\(text.utf8.count) bytes)"
          : "\"\(text)\""
    case .number: return String(raw(value).string.prefix(40))
    case .yes: return "true"
    case .no: return "false"
    case .null: return "null"
    }
  }
}

extension Span<UInt8> {
  /// Whether all bytes are small letters or hyphens.
  fileprivate var isWord: Bool {
    for index in indices {
      guard 97...122 ~= self[index] || self[index] == UInt8(ascii: "-") else { return false }
    }
    return true
  }
}
