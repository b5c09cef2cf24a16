// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

extension ByteBuffer {
  /// Appends `text` as a JSON string with its quotes.
  public mutating func append(json text: String) { append(json: text.utf8Span.span) }

  /// Appends a text in UTF-8 as a JSON string with its quotes.
  public mutating func append(json units: Span<UInt8>) {
    // A text that needs no escape, as nearly all, is copied in one piece.
    if quote(units) { return }
    append(byte: UInt8(ascii: "\""))
    var start = 0
    for index in units.indices where Self.isEscaped(units[index]) {
      append(units.extracting(start..<index))
      start = index + 1
      append(escaped: units[index])
    }
    append(units.extracting(start..<units.count))
    append(byte: UInt8(ascii: "\""))
  }

  private static func isEscaped(_ unit: UInt8) -> Bool {
    unit < 32 || unit == 127 || unit == UInt8(ascii: "\"") || unit == UInt8(ascii: "\\")
  }

  private mutating func append(escaped unit: UInt8) {
    switch unit {
    case UInt8(ascii: "\""): append("\\\"")
    case UInt8(ascii: "\\"): append("\\\\")
    case UInt8(ascii: "\n"): append("\\n")
    case UInt8(ascii: "\t"): append("\\t")
    default:
      append("\\u00")
      append(byte: unit >> 4 == 0 ? 48 : unit >> 4 == 1 ? 49 : 55)
      append(byte: unit & 15 < 10 ? 48 + unit & 15 : 87 + unit & 15)
    }
  }

  /// Appends the name of a member that is no literal of the code, with its comma and colon.
  public mutating func append(memberText name: String) {
    if let last = lastByte, last != UInt8(ascii: "{") { append(",") }
    append(json: name)
    append(":")
  }

  public mutating func append(member name: StaticString, _ words: [String]) {
    array(name, of: words) { $0.append(json: $1) }
  }

  public mutating func append(member name: StaticString, _ value: Int64) {
    append(member: name)
    append(decimal: value)
  }

  public mutating func append(member name: StaticString, _ value: String) {
    append(member: name)
    append(json: value)
  }

  public mutating func append(member name: StaticString, _ value: Bool) {
    append(member: name)
    append(value ? "true" : "false")
  }

  private var lastByte: UInt8? { isEmpty ? nil : bytes[count - 1] }
}
