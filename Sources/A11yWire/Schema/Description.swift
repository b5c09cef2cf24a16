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
    out.append(member: "ops")
    out.append("{")
    for operation in Operation.allCases {
      out.append(memberText: operation.rawValue)
      writeObject(
        Schema.request(operation),
        constant: ("op", operation.rawValue),
        withID: true,
        into: &out
      )
    }
    out.append("}")
    out.append(member: "events")
    out.append("{")
    for type in EventType.allCases {
      out.append(memberText: type.rawValue)
      writeObject(Schema.event(type), constant: ("type", type.rawValue), withID: false, into: &out)
    }
    out.append("}")
  }

  /// Writes the bounds of the wire as one object.
  public static func writeLimits(_ quotas: Quotas, into out: inout ByteBuffer) {
    out.append("{")
    out.append(member: "line_bytes", Int64(Limits.lineBytes))
    out.append(member: "connections", Int64(quotas.connections))
    out.append(member: "connections_per_uid", Int64(quotas.connectionsPerUser))
    out.append(member: "windows_per_app", Int64(Limits.windowsPerApp))
    out.append(member: "elements_per_app", Int64(Limits.elementsPerApp))
    out.append(member: "element_bytes_per_app", Int64(quotas.elementBytesPerApp))
    out.append(member: "element_bytes_per_uid", Int64(quotas.elementBytesPerUser))
    out.append(member: "label_bytes", Int64(Limits.labelBytes))
    out.append(member: "text_bytes", Int64(Limits.textBytes))
    out.append(member: "in_buffer", Int64(quotas.inBuffer))
    out.append(member: "out_buffer", Int64(quotas.outBuffer))
    out.append(member: "pending", Int64(Limits.pending))
    out.append("}")
  }

  private static func writeObject(
    _ fields: Fields,
    constant: (name: StaticString, value: String)?,
    withID: Bool,
    into out: inout ByteBuffer
  ) {
    out.append("{\"type\":\"object\",\"properties\":{")
    var required: [String] = []
    if let constant {
      out.append(member: constant.name)
      out.append("{\"const\":")
      out.append(json: constant.value)
      out.append("}")
      required.append(constant.name.description)
    }
    if withID { out.append(",\"id\":{\"type\":[\"string\",\"integer\",\"null\"]}") }
    for field in fields.all where field.name.description != constant?.name.description {
      out.append(member: field.name)
      if field.isRemovable { out.append("{\"anyOf\":[{\"type\":\"null\"},") }
      writeShape(field.shape, into: &out)
      if field.isRemovable { out.append("]}") }
      if field.isRequired { required.append(field.name.description) }
    }
    out.append("}")
    out.append(member: "required", required)
    if !fields.needsOneOf.isEmpty {
      out.append(member: "anyOf")
      out.append("[")
      for (index, name) in fields.names(fields.needsOneOf).enumerated() {
        if index > 0 { out.append(",") }
        out.append("{")
        out.append(member: "required", [name])
        out.append("}")
      }
      out.append("]")
    }
    if !fields.atMostOneOf.isEmpty {
      out.append(member: "not")
      out.append("{")
      out.append(member: "required", fields.names(fields.atMostOneOf))
      out.append("}")
    }
    out.append("}")
  }

  private static func writeShape(_ shape: Shape, into out: inout ByteBuffer) {
    switch shape {
    case .flag: out.append("{\"type\":\"boolean\"}")
    case .number: out.append("{\"type\":\"number\"}")
    case .seq: out.append("{\"type\":\"integer\",\"minimum\":1}")
    case .integer(let range):
      out.append("{\"type\":\"integer\"")
      if range.lowerBound != .min { out.append(member: "minimum", range.lowerBound) }
      if range.upperBound != .max { out.append(member: "maximum", range.upperBound) }
      out.append("}")
    case .cause:
      out.append(
        "{\"anyOf\":[{\"enum\":[\"auto\",\"user\"]},{\"type\":\"integer\",\"minimum\":1}]}"
      )
    case .name(let bytes), .label(let bytes): writeString(1, bytes, into: &out)
    case .text(let bytes): writeString(0, bytes, into: &out)
    case .word: out.append("{\"type\":\"string\",\"pattern\":\"^[a-z-]{1,32}$\"}")
    case .oneOf(let set):
      out.append("{")
      out.append(member: "enum", set.words.map(\.description))
      out.append("}")
    case .speakable:
      out.append("{\"anyOf\":[")
      writeString(1, Limits.textBytes, into: &out)
      out.append(",")
      writeList(of: .object(.run), into: &out)
      out.append("]}")
    case .integers(let count):
      out.append("{\"type\":\"array\",\"items\":{\"type\":\"integer\"}")
      out.append(member: "minItems", Int64(count))
      out.append(member: "maxItems", Int64(count))
      out.append("}")
    case .list(let item): writeList(of: item, into: &out)
    case .object(.event): out.append("{\"type\":\"object\",\"required\":[\"type\"]}")
    case .object(let record):
      writeObject(Schema.record(record), constant: nil, withID: false, into: &out)
    }
  }

  private static func writeList(of item: Shape.Item, into out: inout ByteBuffer) {
    out.append("{\"type\":\"array\",\"items\":")
    switch item {
    case .name(let bytes): writeShape(.name(bytes: bytes), into: &out)
    case .oneOf(let set): writeShape(.oneOf(set), into: &out)
    case .integer: out.append("{\"type\":\"integer\"}")
    case .object(let record): writeShape(.object(record), into: &out)
    }
    out.append("}")
  }

  /// JSON Schema counts characters where the wire counts bytes; no text of so many bytes has more.
  private static func writeString(_ least: Int, _ most: Int, into out: inout ByteBuffer) {
    out.append("{\"type\":\"string\"")
    out.append(member: "minLength", Int64(least))
    out.append(member: "maxLength", Int64(most))
    out.append("}")
  }
}
