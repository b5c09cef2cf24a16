// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// Lines on their way to the engine, in one piece of memory that is used again and again.
package final class Batch {
  /// A line of the batch.
  package struct Parcel: Equatable, Sendable {
    package let seq: Int64
    /// The place of its bytes, without a newline.
    package let bytes: Range<Int>
  }

  package private(set) var parcels: [Parcel] = []
  /// The entries that are to be forgotten in the engine, once this batch is there.
  package private(set) var forgotten: [ClosedRange<Int64>] = []
  /// The last seq that the batch has come to, be it of an entry that is not sent.
  package private(set) var reached: Int64 = 0
  /// The wall clock of that entry.
  package private(set) var time: Int64 = 0
  private var memory = ByteBuffer(capacity: 65_536)
  private let keepsTexts: Bool
  private let filter: ForwardFilter
  private let most: Int

  /// Entries of one batch, so that an answer of the engine comes soon.
  package static let mostEntries = 512
  /// Bytes of one batch, but for a last line that is longer.
  private static let mostBytes = 262_144

  package init(
    keepsTexts: Bool,
    _ filter: ForwardFilter = ForwardFilter(),
    most: Int = mostEntries
  ) {
    self.keepsTexts = keepsTexts
    self.filter = filter
    self.most = most
  }

  package var isEmpty: Bool { parcels.isEmpty }

  /// Whether the batch is to be sent before it takes another line.
  ///
  /// A forgetting ends a batch: nothing is sent behind it before the engine has forgotten, so that
  /// one that was cut short is known by standing last.
  package var isFull: Bool {
    parcels.count >= most || memory.count >= Self.mostBytes || !forgotten.isEmpty
  }

  package func clear() {
    parcels.removeAll(keepingCapacity: true)
    forgotten = []
    memory.clear()
    memory.shrink(to: Self.mostBytes)
  }

  /// The bytes of all lines.
  package func withBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try memory.withUnsafeBytes(body)
  }

  /// Appends the bytes of a parcel as a word of a command for Redis.
  func copyWord(_ parcel: Parcel, to out: inout ByteBuffer) {
    Self.copyWord(parcel.bytes, of: memory, to: &out)
  }

  private static func copyWord(
    _ range: Range<Int>,
    of memory: borrowing ByteBuffer,
    to out: inout ByteBuffer
  ) {
    out.appendWord(memory.bytes.extracting(range))
  }

  /// Packs an entry, unless it was forgotten or has to stay here.
  package func pack(_ seq: Int64, _ line: borrowing JSONDocument) {
    reached = seq
    let view = EntryView(of: line)
    time = view.time ?? time
    let type = view.type
    if type == EventType.Own.forgotten.rawValue || !filter.admits(line) { return }
    let start = memory.count
    if keepsTexts { memory.append(line.text) } else { line.writeWithoutTexts(into: &memory) }
    parcels.append(Parcel(seq: seq, bytes: start..<memory.count))
    if type == EventType.Own.forgot.rawValue { forgotten = view.forgottenRanges }
  }

  /// Packs a mark, if it tells of a gap.
  package func pack(mark line: borrowing JSONDocument) {
    guard line.isGap, let end = line.integer("to", of: line.root) else { return }
    reached = end
    let start = memory.count
    memory.append(line.text)
    parcels.append(Parcel(seq: end, bytes: start..<memory.count))
  }
}

extension JSONDocument {
  var isGap: Bool { string("mark", of: root) == "gap" }
}

extension EntryView {
  /// The ranges that an entry about forgetting names.
  var forgottenRanges: [ClosedRange<Int64>] {
    guard let list = member("ranges"), line.kind(list) == .list else { return [] }
    var ranges: [ClosedRange<Int64>] = []
    var item = list + 1
    while item < line.end(list) {
      if line.kind(item) == .list, line.count(item) == 2, let first = line.integer(item + 1),
        let last = line.integer(item + 2), first <= last
      {
        ranges.append(first...last)
      }
      item = line.end(item)
    }
    return ranges
  }
}

/// The entries that leave the machine, by app and by type; a list that is empty lets all pass.
///
/// Others are absent in the engine, and their seqs with them. The beginning and the end of a run of
/// the bus and what it forgets leave always: without them nobody could follow the log.
package struct ForwardFilter: Equatable, Sendable {
  package var apps: [String] = []
  package var types: [String] = []

  /// Names in a list; more would be a program of their own.
  package static let most = 64

  package init(apps: [String] = [], types: [String] = []) {
    self.apps = apps
    self.types = types
  }

  /// The mistake in a list of types; nil where each of them is the type of an entry.
  package static func complaint(about types: [String]) -> String? {
    let strange = types.first {
      EventType(rawValue: $0) == nil && EventType.Own(rawValue: $0) == nil
    }
    return strange.map { "expected types of entries, such as announcement or outcome; got \($0)" }
  }

  package var isOpen: Bool { apps.isEmpty && types.isEmpty }

  /// Whether an entry leaves.
  package func admits(_ entry: JSONDocument) -> Bool {
    if isOpen { return true }
    let view = EntryView(of: entry)
    guard let type = view.type else { return false }
    if view.isOwn, Self.always.contains(type) { return true }
    if !types.isEmpty, !types.contains(type) { return false }
    guard !apps.isEmpty else { return true }
    let app = view.isOwn ? view.string("app") : nil
    return (app ?? view.app).map(apps.contains) ?? false
  }

  private static let always = [EventType.Own.opened, .closed, .forgot].map(\.rawValue)

  /// The choice in words, to go behind “the log”; empty where all leave.
  package var words: String {
    let lists = [("of type", types), ("of", apps)].filter { !$0.1.isEmpty }
    let parts = lists.map { "\($0.0) \($0.1.joined(separator: ", "))" }
    return parts.isEmpty ? "" : ", only entries \(parts.joined(separator: " and "))"
  }
}

extension JSONDocument {
  /// Appends an entry without the words in it, sealed anew and without a newline.
  package func writeWithoutTexts(into out: inout ByteBuffer) {
    let start = out.count
    writeMembers(of: root, into: &out)
    out.seal(from: start)
    out.truncate(to: out.count - 1)
  }

  /// Appends the brace and the members of an object, but for words and seal.
  private func writeMembers(of object: JSONIndex, into out: inout ByteBuffer) {
    out.append("{")
    let front = out.count
    var key = object + 1
    while key < end(object) {
      let value = key + 1
      if !isWord(key), !isNameOfAction(key, in: object), !(object == root && isKey(key, "crc")) {
        if out.count > front { out.append(",") }
        writeString(key, into: &out)
        out.append(":")
        writeValue(value, into: &out)
      }
      key = end(value)
    }
  }

  private func writeValue(_ value: JSONIndex, into out: inout ByteBuffer) {
    switch kind(value) {
    case .object:
      writeMembers(of: value, into: &out)
      out.append("}")
    case .list:
      out.append("[")
      let front = out.count
      var item = value + 1
      while item < end(value) {
        if out.count > front { out.append(",") }
        writeValue(item, into: &out)
        item = end(item)
      }
      out.append("]")
    case .string: writeString(value, into: &out)
    case .number: out.append(raw(value))
    case .yes: out.append("true")
    case .no: out.append("false")
    case .null: out.append("null")
    }
  }

  /// Appends a string as it was written.
  private func writeString(_ string: JSONIndex, into out: inout ByteBuffer) {
    out.append("\"")
    out.append(raw(string))
    out.append("\"")
  }

  /// Whether a member with this key holds words that were written for people.
  private func isWord(_ key: JSONIndex) -> Bool {
    isKey(key, "text") || isKey(key, "label") || isKey(key, "value") || isKey(key, "hint")
      || isKey(key, "title") || isKey(key, "speak") || isKey(key, "actions")
  }

  /// Whether a member of the event is the name that an app has given to an action.
  private func isNameOfAction(_ key: JSONIndex, in object: JSONIndex) -> Bool {
    guard isKey(key, "name"), object == EntryView(of: self).event else { return false }
    return !Self.gestures.contains(string(key + 1))
  }

  /// The names of gestures that are the bus's own words.
  private static var gestures: [String] {
    ["activate", "increment", "decrement", "scroll", "escape", "magic-tap"]
  }
}

/// The most entries that may leave in a second.
package struct RateBound: Sendable {
  /// Microseconds for an entry; nil without a bound.
  private let share: Double?
  /// The instant at which the next entry may leave.
  private var next: Double = 0

  /// A rate of no entries means no bound.
  package init(perSecond: Int64) { share = perSecond > 0 ? 1_000_000 / Double(perSecond) : nil }

  /// Counts entries that leave, and tells the microseconds until the next may.
  package mutating func wait(behind count: Int, at now: UInt64) -> UInt64 {
    guard let share else { return 0 }
    next = max(next, Double(now)) + share * Double(count)
    return UInt64(next - Double(now))
  }

  /// The entries of a batch that are a tenth of a second's, so that the rate is even.
  package static func batch(perSecond: Int64) -> Int {
    guard perSecond > 0 else { return Batch.mostEntries }
    return Int(min(max(perSecond / 10, 1), Int64(Batch.mostEntries)))
  }
}
