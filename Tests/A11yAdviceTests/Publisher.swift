// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAdvice
import A11yTestKit
import A11yWire

/// An app whose events stand in a log, with the findings about them.
final class Publisher {
  private var linter: Linter
  private let reader = JSONReader(limit: Limits.answerBytes)
  private(set) var seq: Int64
  var mono: Int64 = 0

  /// The log begins with the entry behind `seq`.
  init(after seq: Int64 = 0) {
    linter = Linter()
    self.seq = seq
  }

  /// Publishes an event, and returns the findings.
  @discardableResult
  func publish(
    _ event: String,
    app: String = "org.test",
    conn: Int64 = 1
  ) throws -> [Linter.Finding] {
    seq += 1
    let line =
      #"{"seq":\#(seq),"time":0,"mono":\#(mono),"app":"\#(app)","uid":1000,"conn":\#(conn),"#
      + #""event":\#(event),"crc":"00000000"}"#
    let reader = self.reader
    let bytes = Array(line.utf8)
    try reader.read(bytes.span)
    let document = reader.document
    let findings = linter.lint(document)
    return findings
  }

  func finish() -> [Linter.Finding] { linter.lastFindings() }

  /// Skips entries that the log does not have any more.
  func lose(_ count: Int64) { seq += count }

  // MARK: In few words

  /// The codes of the advice on an announcement.
  static func codes(announcing text: String, more: String = "") throws -> [String] {
    var json = ByteBuffer(capacity: 64)
    json.append(json: text)
    let event = #"{"type":"announcement","text":\#(json.bytes.string)\#(more)}"#
    return try Publisher().publish(event).map(\.advice.code.rawValue)
  }

  /// The advice on one new element.
  static func advice(element: String) throws -> [Advice] {
    try Publisher().publish(
      #"{"type":"elements","window":"w","upsert":[{"id":"a",\#(element)}]}"#
    ).map(\.advice)
  }

  static func codes(element: String) throws -> [String] {
    try advice(element: element).map(\.code.rawValue)
  }

  /// A label on an element with some traits.
  static func codes(label: String, _ traits: String, lang: String? = nil) throws -> [String] {
    var json = ByteBuffer(capacity: 64)
    json.append(json: label)
    let list = traits.split(separator: " ").map { "\"\($0)\"" }.joined(separator: ",")
    let tag = lang.map { #","lang":"\#($0)""# } ?? ""
    return try codes(element: #""label":\#(json.bytes.string),"traits":[\#(list)]\#(tag)"#)
  }

  static func codes(hint: String, lang: String? = nil) throws -> [String] {
    var json = ByteBuffer(capacity: 64)
    json.append(json: hint)
    let tag = lang.map { #","lang":"\#($0)""# } ?? ""
    return try codes(
      element: #""label":"A","traits":["button"],"hint":\#(json.bytes.string)\#(tag)"#
    )
  }
}
