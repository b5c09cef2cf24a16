// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// One key of a file of settings: its name, how its value is read into the settings, and how it is
/// written.
///
/// The default of a setting stands in the settings alone: the shipped file is made from them.
package struct Setting<Owner> {
  /// Empty for a key in front of all tables.
  package let table: String
  package let key: String
  /// Takes the value over, or says what was expected instead, and what came.
  package let take: (TomlValue, inout Owner) -> String?
  /// The value in settings, as TOML has it; nil where nothing is set.
  package let show: (Owner) -> String?

  package init<Value>(
    _ table: String,
    _ key: String,
    _ path: WritableKeyPath<Owner, Value>,
    _ form: SettingForm<Value>
  ) {
    self.table = table
    self.key = key
    take = { value, settings in
      do throws(SettingMisfit) {
        settings[keyPath: path] = try form.read(value)
        return nil
      } catch {
        return error.isWhole ? error.words : "\(error.words); got \(value)"
      }
    }
    show = { form.write($0[keyPath: path]) }
  }
}

/// A setting has another form than the one that is expected.
package struct SettingMisfit: Error {
  fileprivate let words: String
  /// Whether the words say already what came, or should not.
  fileprivate let isWhole: Bool

  /// What was expected; the value that came is told behind it.
  package init(_ expected: String) { (words, isWhole) = (expected, false) }

  package init(saying words: String) { (self.words, isWhole) = (words, true) }
}

/// The form that a setting is written in.
package struct SettingForm<Value> {
  package let read: (TomlValue) throws(SettingMisfit) -> Value
  package let write: (Value) -> String?

  package init(
    _ read: @escaping (TomlValue) throws(SettingMisfit) -> Value,
    write: @escaping (Value) -> String?
  ) {
    self.read = read
    self.write = write
  }

  /// A form whose values `read` recognizes, and what is expected of all others.
  package init(
    _ expected: String,
    _ read: @escaping (TomlValue) -> Value?,
    write: @escaping (Value) -> String?
  ) {
    self.init(
      { value throws(SettingMisfit) in
        guard let found = read(value) else { throw SettingMisfit(expected) }
        return found
      },
      write: write
    )
  }

  /// The same for a setting that may be left alone; the shipped file has no value of it.
  package var orNone: SettingForm<Value?> {
    let (read, write) = (read, write)
    return SettingForm<Value?>({ value throws(SettingMisfit) in try read(value) }) {
      $0.flatMap(write)
    }
  }

  /// The same for what may be a secret, or stand in the place of one: it is not told what came.
  package var discreet: Self {
    let read = read
    return Self(
      { value throws(SettingMisfit) in
        do throws(SettingMisfit) { return try read(value) } catch {
          throw SettingMisfit(saying: error.words)
        }
      },
      write: write
    )
  }

  /// The same, where an empty text stands for nothing.
  package var orEmpty: SettingForm<Value?> {
    let (read, write) = (read, write)
    return SettingForm<Value?>(
      { value throws(SettingMisfit) in value == .string("") ? nil : try read(value) },
      write: { value in value.map(write) ?? "\"\"" }
    )
  }
}

extension SettingForm where Value: Equatable {
  /// The same, where one of the values stands for nothing.
  package func or(_ nothing: Value) -> SettingForm<Value?> {
    let (read, write) = (read, write)
    return SettingForm<Value?>(
      { value throws(SettingMisfit) in
        let found = try read(value)
        return found == nothing ? nil : found
      },
      write: { write($0 ?? nothing) }
    )
  }
}

extension SettingForm<Bool> {
  package static var flag: Self {
    Self("expected true or false", { if case .boolean(let flag) = $0 { flag } else { nil } }) {
      "\($0)"
    }
  }
}

extension SettingForm where Value: BinaryInteger {
  package static func count(_ range: ClosedRange<Value>, _ expected: String? = nil) -> Self {
    Self(
      expected ?? "expected an integer from \(range.lowerBound) to \(range.upperBound)",
      { $0.asInteger.flatMap(Value.init(exactly:)).flatMap { range.contains($0) ? $0 : nil } }
    ) { "\($0)" }
  }
}

extension SettingForm<String> {
  package static func text(
    _ expected: String,
    where isFit: @escaping (String) -> Bool = { _ in true }
  ) -> Self {
    Self(expected, { $0.asText.flatMap { isFit($0) ? $0 : nil } }, write: TomlEdit.quoted)
  }
}

extension SettingForm where Value: RawRepresentable<String> {
  package static func word(_ expected: String) -> Self {
    Self(expected, { $0.asText.flatMap(Value.init(rawValue:)) }) { TomlEdit.quoted($0.rawValue) }
  }
}

extension SettingForm<[String]> {
  /// A list of so many texts at most, each of which fits.
  package static func texts(
    _ expected: String,
    upTo most: Int,
    tooMany: @escaping (Int) -> String,
    item misfit: @escaping (TomlValue) -> SettingMisfit,
    where isFit: @escaping (String) -> Bool
  ) -> Self {
    Self(
      { value throws(SettingMisfit) in
        guard case .array(let items) = value else { throw SettingMisfit(expected) }
        guard items.count <= most else { throw SettingMisfit(tooMany(items.count)) }
        var texts: [String] = []
        for item in items {
          guard let text = item.value.asText, isFit(text) else { throw misfit(item.value) }
          texts.append(text)
        }
        return texts
      },
      write: { texts in "[\(texts.map(TomlEdit.quoted).joined(separator: ", "))]" }
    )
  }

  /// The same for names whose order says nothing.
  package func unordered(_ name: @escaping (String) -> String = { $0 }) -> SettingForm<Set<String>>
  {
    let (read, write) = (read, write)
    return SettingForm<Set<String>>(
      { value throws(SettingMisfit) in Set(try read(value).map(name)) },
      write: { write($0.sorted()) }
    )
  }
}

extension SettingForm<Duration> {
  /// A time, in which a bare integer counts `unit`.
  package static func time(
    _ expected: String,
    in range: ClosedRange<Duration>,
    unit: Duration,
    write: @escaping (Duration) -> String
  ) -> Self {
    Self(
      expected,
      { $0.asDuration(integersIn: unit).flatMap { range.contains($0) ? $0 : nil } },
      write: write
    )
  }
}

extension TomlValue {
  package var asText: String? { if case .string(let text) = self { text } else { nil } }
}
