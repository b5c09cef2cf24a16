// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import CxxJSON

/// The reason, in words, for which a line is not one strict JSON object.
public struct JSONFault: Error, Equatable {
  public let words: String
}

/// Reads lines of JSON, one after the other, into the same memory.
///
/// simdjson looks some bytes past the end of a line, and these must not continue it. The reader
/// copies the line into memory of its own, with zeros behind it: that costs some nanoseconds, and
/// no caller has to care.
@safe
public final class JSONReader {
  private let handle: OpaquePointer
  private let room: UnsafeMutablePointer<UInt8>
  private let limit: Int
  private var length = 0
  private var tokens: UnsafePointer<a11y_json_token>?
  private var count = 0

  /// A reader for lines of up to `limit` bytes.
  public init(limit: Int) {
    guard let handle = unsafe a11y_json_reader_new(limit + Int(A11Y_JSON_PADDING)) else {
      fatalError("no memory for a reader of JSON lines")
    }
    unsafe self.handle = handle
    // Not cleared: each read writes its line and the zeros behind it first, so that no older byte
    // is ever taken for a part of the line.
    unsafe room = .allocate(capacity: limit + Int(A11Y_JSON_PADDING))
    self.limit = limit
  }

  deinit {
    unsafe a11y_json_reader_free(handle)
    unsafe room.deallocate()
  }

  /// Overwrites the last line, which nobody reads any more.
  public func wipe() {
    (length, count) = (0, 0)
    unsafe tokens = nil
    unsafe room.update(repeating: 0, count: limit + Int(A11Y_JSON_PADDING))
  }

  /// Reads `line`, which is `document` until the next one is read.
  public func read(_ line: Span<UInt8>) throws(JSONFault) {
    guard line.count <= limit else {
      throw JSONFault(words: "the line has more than \(limit) bytes")
    }
    length = line.count
    unsafe line.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return }
      unsafe room.update(from: start, count: bytes.count)
    }
    var tokens: UnsafePointer<a11y_json_token>?
    var count = 0
    let fault = unsafe a11y_json_read(handle, room, length, &tokens, &count)
    unsafe self.tokens = tokens
    self.count = count
    if let words = unsafe fault {
      throw JSONFault(words: unsafe String(cString: words))
    }
  }

  public var document: JSONDocument {
    @_lifetime(borrow self)
    get {
      let text = unsafe Span(_unsafeStart: UnsafePointer(room), count: length)
      let list = unsafe Span(
        _unsafeElements: UnsafeBufferPointer(start: tokens, count: count)
      )
      return unsafe _overrideLifetime(JSONDocument(text: text, tokens: list), borrowing: self)
    }
  }
}

/// A value of a line, by the index of its token.
public typealias JSONIndex = Int

/// A line that was read: its text and the tokens in it.
///
/// Behind an object's token stand key, value, key, value; behind a list's its values. Each token
/// knows the index behind its value, so that values which nobody asks for are stepped over. A look
/// at a token is inlined in all rooms: it is an instruction or two, and an event takes dozens.
public struct JSONDocument: ~Escapable {
  public enum Kind: UInt8 {
    case object = 1
    case list, string, number, yes, no, null
  }

  public let text: Span<UInt8>
  @usableFromInline let tokens: Span<a11y_json_token>

  @_lifetime(copy text, copy tokens)
  init(text: Span<UInt8>, tokens: Span<a11y_json_token>) {
    self.text = text
    self.tokens = tokens
  }

  public var root: JSONIndex { 0 }

  @inlinable
  public func kind(_ value: JSONIndex) -> Kind {
    guard let kind = Kind(rawValue: tokens[value].kind) else {
      preconditionFailure("a token has one of JSON's kinds")
    }
    return kind
  }

  /// The index behind this value, where its next sibling stands.
  @inlinable
  public func end(_ value: JSONIndex) -> JSONIndex { Int(tokens[value].end) }

  /// A scalar as it was written; a string without its quotes.
  @inlinable
  @_lifetime(copy self)
  public func raw(_ value: JSONIndex) -> Span<UInt8> {
    let token = tokens[value]
    return text.extracting(Int(token.start)..<Int(token.start) + Int(token.length))
  }

  @inlinable
  public func isEscaped(_ value: JSONIndex) -> Bool { tokens[value].escaped != 0 }

  /// The text of a string, without its escapes.
  public func string(_ value: JSONIndex) -> String {
    let written = raw(value)
    guard isEscaped(value) else { return written.string }
    return unsafe written.withUnsafeBufferPointer { source in
      guard let start = source.baseAddress else { return "" }
      return unsafe String(unsafeUninitializedCapacity: source.count) { target in
        guard let into = target.baseAddress else { return 0 }
        return unsafe a11y_json_unescape(start, source.count, into)
      }
    }
  }

  /// Calls `body` with a text without its escapes: a string, or all runs of a list in one piece.
  ///
  /// A string that has no escapes is not copied; the copies of others are nearly all on the stack.
  public func withText(_ value: JSONIndex, _ body: (Span<UInt8>) -> Void) {
    switch kind(value) {
    case .string where !isEscaped(value): body(raw(value))
    case .string, .list: withCopy(of: value, body)
    case .object, .number, .yes, .no, .null: break
    }
  }

  private func withCopy(of value: JSONIndex, _ body: (Span<UInt8>) -> Void) {
    // A text without its escapes is never longer than with them.
    var room = 0
    forEachString(of: value) { room += raw($0).count }
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { copy in
      var length = 0
      guard let base = copy.baseAddress else { return body(Span()) }
      forEachString(of: value) { string in
        unsafe raw(string).withUnsafeBufferPointer { written in
          guard let start = written.baseAddress else { return }
          if isEscaped(string) {
            length += unsafe a11y_json_unescape(start, written.count, base + length)
          } else {
            unsafe (base + length).update(from: start, count: written.count)
            length += written.count
          }
        }
      }
      unsafe body(Span(_unsafeStart: UnsafePointer(base), count: length))
    }
  }

  /// Calls `body` with each string of a text: itself, or the texts of its runs.
  private func forEachString(of value: JSONIndex, _ body: (JSONIndex) -> Void) {
    guard kind(value) == .list else { return body(value) }
    var run = value + 1
    while run < end(value) {
      if let text = member("text", of: run), kind(text) == .string { body(text) }
      run = end(run)
    }
  }

  /// The text of a string; nil for any other value.
  public func stringIfAny(_ value: JSONIndex) -> String? {
    kind(value) == .string ? string(value) : nil
  }

  /// The number written as `-?digits`; nil for any other value, or one that does not fit.
  public func integer(_ value: JSONIndex) -> Int64? {
    kind(value) == .number ? raw(value).decimal : nil
  }

  /// The number of UTF-8 bytes of a string's text, without its escapes.
  public func byteCount(_ value: JSONIndex) -> Int {
    guard isEscaped(value) else { return Int(tokens[value].length) }
    return string(value).utf8.count
  }

  /// The value of an object's member, found by its name.
  public func member(_ name: StaticString, of object: JSONIndex) -> JSONIndex? {
    guard kind(object) == .object else { return nil }
    var hasEscapes: UInt8 = 0
    let value = unsafe tokens.withUnsafeBufferPointer { tokens in
      unsafe text.withUnsafeBufferPointer { text in
        guard let first = tokens.baseAddress, let line = text.baseAddress else { return UInt32(0) }
        return unsafe a11y_json_member(
          first,
          line,
          UInt32(object),
          name.utf8Start,
          UInt32(name.utf8CodeUnitCount),
          &hasEscapes
        )
      }
    }
    if value > 0 { return JSONIndex(value) }
    return hasEscapes == 0 ? nil : member(name.description, ofEscaped: object)
  }

  /// The slow way, for an object with a key that is written with escapes.
  private func member(_ name: String, ofEscaped object: JSONIndex) -> JSONIndex? {
    var key = object + 1
    while key < end(object) {
      if string(key) == name { return key + 1 }
      key = end(key + 1)
    }
    return nil
  }

  public func integer(_ name: StaticString, of object: JSONIndex) -> Int64? {
    guard let value = member(name, of: object) else { return nil }
    return integer(value)
  }

  public func seq(_ name: StaticString, of object: JSONIndex) -> Seq? {
    integer(name, of: object).flatMap(Seq.init(stated:))
  }

  public func string(_ name: StaticString, of object: JSONIndex) -> String? {
    guard let value = member(name, of: object) else { return nil }
    return stringIfAny(value)
  }

  @inlinable @inline(__always)
  public func isKey(_ key: JSONIndex, _ name: StaticString) -> Bool {
    let token = tokens[key]
    guard token.escaped == 0 else { return isEscapedKey(key, name) }
    // Nearly all other names have another length.
    return Int(token.length) == name.utf8CodeUnitCount && raw(key).equals(name)
  }

  @usableFromInline
  func isEscapedKey(_ key: JSONIndex, _ name: StaticString) -> Bool {
    string(key) == name.description
  }

  /// The number of a list's values, or of an object's members.
  public func count(_ container: JSONIndex) -> Int {
    var count = 0
    var next = container + 1
    while next < end(container) {
      count += 1
      next = end(kind(container) == .object ? next + 1 : next)
    }
    return count
  }
}

extension Span<UInt8> {
  /// The text of a JSON string without its escapes; given without its quotes, and read once before.
  public var unescaped: [UInt8] {
    guard firstIndex(of: UInt8(ascii: "\\")) != nil else { return array }
    return unsafe withUnsafeBufferPointer { source in
      guard let start = source.baseAddress else { return [] }
      return unsafe [UInt8](unsafeUninitializedCapacity: source.count) { target, count in
        guard let into = target.baseAddress else { return }
        count = unsafe a11y_json_unescape(start, source.count, into)
      }
    }
  }
}
