// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// A value of the record.
protocol Recorded {
  /// Stands in the place of the value until it is read.
  static var blank: Self { get }

  /// Passes each part to the scribe, which writes it down, or puts another in its place.
  mutating func record(_ scribe: inout Scribe)
}

// MARK: Atoms

extension Int64: Recorded {
  static var blank: Int64 { 0 }

  mutating func record(_ scribe: inout Scribe) { scribe.number(&self) }
}

extension String: Recorded {
  static var blank: String { "" }

  mutating func record(_ scribe: inout Scribe) { scribe.string(&self) }
}

extension Bool: Recorded {
  static var blank: Bool { false }

  mutating func record(_ scribe: inout Scribe) { scribe.flag(&self) }
}

extension Seq: Recorded {
  static var blank: Seq { .none }

  mutating func record(_ scribe: inout Scribe) {
    var number = self.number
    scribe.number(&number)
    self = Seq(number)
  }
}

extension Instant: Recorded {
  static var blank: Instant { Instant(microseconds: 0) }

  mutating func record(_ scribe: inout Scribe) {
    var count = microseconds
    scribe.number(&count)
    self = Instant(microseconds: count)
  }
}

extension TimeSpan: Recorded {
  static var blank: TimeSpan { .zero }

  mutating func record(_ scribe: inout Scribe) {
    var count = microseconds
    scribe.number(&count)
    self = TimeSpan(microseconds: count)
  }
}

extension Name: Recorded {
  static var blank: Name { Name("") }

  mutating func record(_ scribe: inout Scribe) {
    var text = self.text
    scribe.string(&text)
    // Making a name takes longer than writing it.
    if scribe.isReading { self = Name(text) }
  }
}

extension UInt64: Recorded {
  static var blank: UInt64 { 0 }

  mutating func record(_ scribe: inout Scribe) {
    var number = Int64(bitPattern: self)
    scribe.number(&number)
    self = UInt64(bitPattern: number)
  }
}

extension UInt32: Recorded {
  static var blank: UInt32 { 0 }

  mutating func record(_ scribe: inout Scribe) {
    var number = Int64(self)
    scribe.number(&number)
    self = UInt32(truncatingIfNeeded: number)
  }
}

// MARK: Words

/// A word out of a list, written as its text.
protocol RecordedWord: Recorded, RawRepresentable where RawValue == String {}

extension RecordedWord {
  mutating func record(_ scribe: inout Scribe) {
    var text = rawValue
    scribe.string(&text)
    guard scribe.isReading else { return }
    if let word = Self(rawValue: text) { self = word } else { scribe.isBad = true }
  }
}

extension Item.Kind: RecordedWord { static var blank: Self { .announcement } }
extension Item.Standing: RecordedWord { static var blank: Self { .moving } }
extension Item.Earcon: RecordedWord { static var blank: Self { .screen } }
extension Mode: RecordedWord { static var blank: Self { .all } }
extension Priority: RecordedWord { static var blank: Self { .default } }
extension Topic: RecordedWord { static var blank: Self { .announcement } }
extension Causation: RecordedWord { static var blank: Self { .auto } }
extension WordLanguage: RecordedWord { static var blank: Self { .english } }
extension Result: RecordedWord { static var blank: Self { .heard } }
extension Obstacle: RecordedWord { static var blank: Self { .turn } }
extension OwnRule: RecordedWord { static var blank: Self { .interruption } }
extension Reason: RecordedWord { static var blank: Self { .reader } }
extension MoveReason: RecordedWord { static var blank: Self { .repair } }
extension FocusAnswer.Result: RecordedWord { static var blank: Self { .kept } }
