// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The vocabulary as JSON Schemas, read off the same tables that lines are checked against.
public enum Description {
  /// Writes the members of the answer to `describe`.
  public static func writeVocabulary(_ quotas: Quotas, into out: inout ByteBuffer) {
    out.append(member: "protocol", Protocol.version)
    out.append(member: "limits")
    writeLimits(quotas, into: &out)
    out.append(member: "codes", RefusalCode.allCases.map(\.rawValue))
    out.object("ops") { out in
      for operation in Operation.allCases {
        out.append(memberText: operation.rawValue)
        let fields = Schema.request(operation)
        writeObject(fields, constant: ("op", operation.rawValue), withID: true, into: &out)
      }
    }
    out.object("events") { out in
      for type in EventType.allCases {
        out.append(memberText: type.rawValue)
        let fields = Schema.event(type)
        writeObject(fields, constant: ("type", type.rawValue), withID: false, into: &out)
      }
    }
  }

  /// Writes the bounds of the wire as one object.
  public static func writeLimits(_ quotas: Quotas, into out: inout ByteBuffer) {
    out.object {
      for limit in Limits.Told.all { $0.append(member: limit.name, Int64(limit.value(quotas))) }
    }
  }

  private static func writeObject(
    _ fields: Fields,
    constant: (name: StaticString, value: String)?,
    withID: Bool,
    into out: inout ByteBuffer
  ) {
    out.object { out in
      out.append(member: "type", "object")
      var required: [String] = []
      out.object("properties") { out in
        if let constant {
          out.object(constant.name) { $0.append(member: "const", constant.value) }
          required.append(constant.name.description)
        }
        if withID {
          out.object("id") { $0.append(member: "type", ["string", "integer", "null"]) }
        }
        for field in fields.all where field.name.description != constant?.name.description {
          out.append(member: field.name)
          writeField(field, into: &out)
          if field.isRequired { required.append(field.name.description) }
        }
      }
      out.append(member: "required", required)
      if !fields.needsOneOf.isEmpty {
        out.array("anyOf", of: fields.names(fields.needsOneOf)) { out, name in
          out.object { $0.append(member: "required", [name]) }
        }
      }
      if !fields.atMostOneOf.isEmpty {
        out.object("not") { $0.append(member: "required", fields.names(fields.atMostOneOf)) }
      }
    }
  }

  private static func writeField(_ field: Field, into out: inout ByteBuffer) {
    guard field.isRemovable else {
      writeShape(field.shape, into: &out)
      return
    }
    out.object { out in
      out.array("anyOf") { out in
        out.nextObject { $0.append(member: "type", "null") }
        out.separate()
        writeShape(field.shape, into: &out)
      }
    }
  }

  private static func writeShape(_ shape: Shape, into out: inout ByteBuffer) {
    switch shape {
    case .flag: out.object { $0.append(member: "type", "boolean") }
    case .number: out.object { $0.append(member: "type", "number") }
    case .seq: writeInteger(1...Int64.max, into: &out)
    case .integer(let range): writeInteger(range, into: &out)
    case .cause:
      out.object { out in
        out.array("anyOf") { out in
          out.nextObject { $0.append(member: "enum", ["auto", "user"]) }
          out.separate()
          writeInteger(1...Int64.max, into: &out)
        }
      }
    case .name(let bytes), .label(let bytes): writeString(1, bytes, into: &out)
    case .text(let bytes): writeString(0, bytes, into: &out)
    case .word:
      out.object {
        $0.append(member: "type", "string")
        $0.append(member: "pattern", "^[a-z-]{1,32}$")
      }
    case .oneOf(let set):
      out.object { $0.append(member: "enum", set.words.map(\.description)) }
    case .speakable:
      out.object { out in
        out.array("anyOf") { out in
          out.separate()
          writeString(1, Limits.textBytes, into: &out)
          out.separate()
          writeList(of: .object(.run), into: &out)
        }
      }
    case .integers(let count): writeList(of: .integer, count: count, into: &out)
    case .list(let item): writeList(of: item, into: &out)
    case .object(.event):
      out.object {
        $0.append(member: "type", "object")
        $0.append(member: "required", ["type"])
      }
    case .object(let record):
      writeObject(Schema.record(record), constant: nil, withID: false, into: &out)
    }
  }

  private static func writeInteger(_ range: ClosedRange<Int64>, into out: inout ByteBuffer) {
    out.object {
      $0.append(member: "type", "integer")
      if range.lowerBound != .min { $0.append(member: "minimum", range.lowerBound) }
      if range.upperBound != .max { $0.append(member: "maximum", range.upperBound) }
    }
  }

  /// Appends a list of `item`, of exactly `count` values where there is a count.
  private static func writeList(
    of item: Shape.Item,
    count: Int? = nil,
    into out: inout ByteBuffer
  ) {
    out.object { out in
      out.append(member: "type", "array")
      out.append(member: "items")
      switch item {
      case .name(let bytes): writeShape(.name(bytes: bytes), into: &out)
      case .oneOf(let set): writeShape(.oneOf(set), into: &out)
      case .integer: writeInteger(Int64.min...Int64.max, into: &out)
      case .object(let record): writeShape(.object(record), into: &out)
      }
      if let count {
        out.append(member: "minItems", Int64(count))
        out.append(member: "maxItems", Int64(count))
      }
    }
  }

  /// Appends a string of `least` to `most` characters.
  ///
  /// JSON Schema counts characters where the wire counts bytes; no text of so many bytes has more.
  private static func writeString(_ least: Int, _ most: Int, into out: inout ByteBuffer) {
    out.object {
      $0.append(member: "type", "string")
      $0.append(member: "minLength", Int64(least))
      $0.append(member: "maxLength", Int64(most))
    }
  }
}
