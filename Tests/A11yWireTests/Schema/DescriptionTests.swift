// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

@testable import A11yWire
import Foundation
import Testing

/// The answer to `describe`, from which a client may learn all that it can send.
@Suite struct DescriptionTests {
  private let answer: NSDictionary

  init() throws {
    var out = ByteBuffer(capacity: 0)
    out.object { out in
      out.append(member: "limits")
      Description.writeLimits(Quotas(), into: &out)
      Description.writeVocabulary(answer: { _ in ObjectSchema([]) }, into: &out)
    }
    // The strict reader refuses a key that stands twice; Foundation gives values to look at.
    try JSONReader(limit: Limits.answerBytes).read(out.bytes)
    let parsed = try JSONSerialization.jsonObject(with: Data(out.bytes.array))
    answer = try #require(parsed as? NSDictionary)
  }

  private func value(_ path: String...) -> Any? {
    path.reduce(answer as Any?) { ($0 as? NSDictionary)?[$1] }
  }

  @Test(arguments: [
    ("line_bytes", 65_536), ("connections", 4_096), ("connections_per_uid", 1_024),
    ("element_bytes_per_app", 67_108_864), ("element_bytes_per_uid", 268_435_456),
    ("windows_per_app", 256), ("elements_per_app", 100_000), ("label_bytes", 4_096),
    ("text_bytes", 32_768), ("in_buffer", 131_072), ("out_buffer", 262_144), ("pending", 64),
    ("log_bytes_per_uid", 33_554_432),
  ])
  func `limits are the contract's`(name: String, number: Int) {
    #expect(value("limits", name) as? Int == number)
    #expect((value("limits") as? NSDictionary)?.count == 13)
  }

  @Test(arguments: Operation.allCases)
  func `every operation is described`(operation: A11yWire.Operation) {
    let name = operation.rawValue

    #expect(value("ops", name, "properties", "op", "const") as? String == name)
    #expect(value("ops", name, "properties", "id") != nil)
    let required = value("ops", name, "required") as? [String]
    #expect(required?.contains("op") == true)
  }

  @Test(arguments: EventType.allCases)
  func `every type of event is described with all its fields`(type: EventType) {
    let name = type.rawValue
    let properties = value("events", name, "properties") as? NSDictionary

    #expect(value("events", name, "type") as? String == "object")
    #expect(value("events", name, "properties", "type", "const") as? String == name)
    let fields = type.fields.all.map(\.name.description)
    #expect(Set(properties?.allKeys as? [String] ?? []) == Set(fields))
    let required = value("events", name, "required") as? [String] ?? []
    let expected = type.fields.all.filter(\.isRequired).map(\.name.description)
    #expect(Set(required) == Set(expected))
  }

  @Test func `a name in which nothing can hide is said to have no control characters`() throws {
    let app = try #require(value("ops", "hello", "properties", "app") as? NSDictionary)
    let reader = try #require(
      value("events", "voiceover-status", "properties", "reader") as? NSDictionary
    )
    let pattern = try Regex(try #require(app["pattern"] as? String))

    #expect(reader["pattern"] as? String == app["pattern"] as? String)
    #expect(app["maxLength"] as? Int == 128)
    for name in ["Orca", "Zäune 😀", " ", "\u{a0}"] { #expect(name.contains(pattern)) }
    for name in ["a\nb", "\t", "\u{7f}", "a\u{85}"] { #expect(!name.contains(pattern)) }
    #expect(value("events", "busy", "properties", "element", "pattern") == nil)
  }

  @Test func `codes are listed, each with the way out`() {
    let codes = value("codes") as? [String: String] ?? [:]
    #expect(Set(codes.keys) == Set(RefusalCode.allCases.map(\.rawValue)))
    #expect(codes.values.allSatisfy { $0.hasSuffix(".") })
  }

  @Test func `the log has lengths in the place of secret texts, and no unknown fields`() {
    let stored = { (type: String, name: String) in
      value("events", type, "$defs", "stored", "properties", name)
    }
    #expect(stored("announcement", "redacted") != nil)
    #expect(value("events", "announcement", "properties", "redacted") == nil)
    #expect(value("events", "announcement", "$defs", "stored", "required") as? [String] == ["type"])
    #expect(stored("busy", "redacted") == nil)
    for type in EventType.allCases {
      #expect(value("events", type.rawValue, "additionalProperties") == nil)
      let name = "additionalProperties"
      #expect(value("events", type.rawValue, "$defs", "stored", name) as? Bool == false)
    }
  }

  @Test func `every meaning is that of a field`() {
    let events = EventType.allCases.flatMap { type in
      type.fields.all.map { "\(type.rawValue).\($0.name)" }
    }
    let requests = Operation.allCases.flatMap { operation in
      Schema.request(operation).all.map { "\(operation.rawValue).\($0.name)" }
    }
    let records = [
      ("element", Shape.Record.element), ("set", .place), ("run", .run), ("filter", .filter),
    ]
    let objects = records.flatMap { name, record in
      Schema.record(record).all.map { "\(name).\($0.name)" }
    }

    #expect(Set(Meanings.own.keys).subtracting(events + requests + objects) == [])
    let common = Set(EventType.pause.fields.all.map(\.name.description))
    #expect(Set(Meanings.common.keys) == common)
  }

  @Test func `every schema in the description says something, and each field what it means`() {
    var seen = 0
    func check(_ schema: Any?, _ path: String) {
      guard let schema = schema as? NSDictionary else {
        Issue.record("\(path) is no schema")
        return
      }
      seen += 1
      let says = ["type", "enum", "const", "anyOf"].contains { schema[$0] != nil }
      #expect(says, "\(path) allows everything")
      for (name, inner) in schema["properties"] as? NSDictionary ?? [:] {
        let meaning = (inner as? NSDictionary)?["description"] as? String
        #expect(meaning?.hasSuffix(".") == true, "\(path).\(name) has no meaning")
        check(inner, "\(path).\(name)")
      }
      if let items = schema["items"] { check(items, path + "[]") }
    }
    for (name, schema) in value("ops") as? NSDictionary ?? [:] { check(schema, "op \(name)") }
    for (name, schema) in value("events") as? NSDictionary ?? [:] { check(schema, "event \(name)") }

    #expect(seen > 200)
  }

  @Test func `fields that exclude each other, or of which one is needed, are said to`() {
    let rivals = value("events", "layout-changed", "not", "required") as? [String]
    #expect(Set(rivals ?? []) == ["element", "text"])
    let one = value("events", "elements", "anyOf") as? [NSDictionary]
    #expect(
      one?.compactMap { $0["required"] as? [String] } == [["upsert"], ["remove"], ["replace"]]
    )
  }
}
