// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The form of an object that the bus writes of a value: one list of members writes the object and
/// describes it.
public struct ObjectForm<Source>: Sendable {
  public struct Member: Sendable {
    fileprivate let described: ObjectSchema.Member
    fileprivate let write: @Sendable (Source, inout ByteBuffer) -> Void
  }

  private let members: [Member]
  /// The object as a whole, in a sentence.
  private let meaning: String?

  public init(_ members: [Member], meaning: String? = nil) {
    self.members = members
    self.meaning = meaning
  }

  public var schema: ObjectSchema { ObjectSchema(members.map(\.described), meaning: meaning) }

  /// Appends the members, without the braces around them.
  public func write(_ source: Source, into out: inout ByteBuffer) {
    for member in members { member.write(source, &out) }
  }
}

/// What the bus tells in an entry of its own: one list writes the entry and describes it.
package protocol OwnEntry {
  static var type: EventType.Own { get }
  static var form: ObjectForm<Self> { get }
}

extension ObjectForm.Member {
  /// A member that is always there.
  public static func always<Value>(
    _ name: StaticString,
    _ form: ValueForm<Value>,
    _ meaning: String,
    _ value: @escaping @Sendable (Source) -> Value
  ) -> Self {
    Self(described: .always(name.description, form.schema, meaning)) { source, out in
      out.append(member: name)
      form.write(value(source), &out)
    }
  }

  /// A member that may be absent.
  public static func maybe<Value>(
    _ name: StaticString,
    _ form: ValueForm<Value>,
    _ meaning: String,
    _ value: @escaping @Sendable (Source) -> Value?
  ) -> Self {
    Self(described: .maybe(name.description, form.schema, meaning)) { source, out in
      guard let value = value(source) else { return }
      out.append(member: name)
      form.write(value, &out)
    }
  }

  /// A member whose value is a word that is always the same.
  public static func constant(_ name: StaticString, _ word: String, _ meaning: String) -> Self {
    Self(described: .always(name.description, .constant(word), meaning)) { _, out in
      out.append(member: name, word)
    }
  }
}

/// The form of a value: its schema, and the way that it is written.
public struct ValueForm<Value>: Sendable {
  fileprivate let schema: JSONSchema
  fileprivate let write: @Sendable (Value, inout ByteBuffer) -> Void

  public init(
    _ schema: JSONSchema,
    _ write: @escaping @Sendable (Value, inout ByteBuffer) -> Void
  ) {
    self.schema = schema
    self.write = write
  }
}

extension ValueForm<Seq> {
  public static var seq: Self { Self(.seq) { $1.append(decimal: $0.number) } }
  /// A seq, or zero where there is none yet.
  public static var count: Self { Self(.count) { $1.append(decimal: $0.number) } }
}

extension ValueForm where Value: BinaryInteger & SendableMetatype {
  public static var seq: Self { number(.seq) }
  public static var count: Self { number(.count) }
  public static var anyInteger: Self { number(.anyInteger) }

  public static func integer(_ range: ClosedRange<Int64>) -> Self { number(.integer(range)) }

  private static func number(_ schema: JSONSchema) -> Self {
    Self(schema) { $1.append(decimal: Int64($0)) }
  }
}

extension ValueForm<Bool> {
  public static var flag: Self { Self(.flag) { $1.append($0 ? "true" : "false") } }
}

extension ValueForm<String> {
  public static var anyText: Self { Self(.anyText) { $1.append(json: $0) } }

  public static func words(_ words: [String]) -> Self {
    Self(.words(words)) { $1.append(json: $0) }
  }
}

extension ValueForm<Name> {
  public static var name: Self { Self(.name) { $1.append(json: $0.text) } }
}

extension ValueForm<Epoch> {
  public static var epoch: Self { Self(.epoch) { $1.append(json: $0.hex) } }
}

extension ValueForm<Cursor> {
  public static var cursor: Self { Self(.cursor) { $1.append(json: $0.text) } }
}

extension ValueForm where Value: CaseIterable & RawRepresentable<String> & SendableMetatype {
  /// The word of a case.
  public static var word: Self {
    Self(.words(Value.allCases.map(\.rawValue))) { $1.append(json: $0.rawValue) }
  }
}

extension ValueForm {
  public static func object(_ form: ObjectForm<Value>) -> Self {
    Self(.object(form.schema)) { value, out in out.object { form.write(value, into: &$0) } }
  }

  public static func list<Item>(
    _ form: ValueForm<Item>,
    _ count: ClosedRange<Int>? = nil
  ) -> Self where Value == [Item] {
    Self(.list(form.schema, count)) { values, out in
      out.array(of: values) { form.write($1, &$0) }
    }
  }
}
