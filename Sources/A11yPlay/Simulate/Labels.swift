// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// The names that lines of a script have given themselves, and what came of those lines.
struct Labels {
  private struct Line {
    let seq: Seq
    var delivery: Seq?
    var gesture: Seq?
  }

  private var lines: [String: Line] = [:]
  private var names: [Seq: String] = [:]
  /// The entries of the bus that can be named by their number among those of their type.
  private var counted: [Kind: [Seq]] = [:]

  /// A type of entries that are counted.
  enum Kind: String, CaseIterable {
    case deliver, gesture, focus
  }

  /// Whether anybody can ask for what became of a line.
  var isEmpty: Bool { lines.isEmpty }

  func has(_ name: String) -> Bool { lines[name] != nil }

  mutating func name(_ seq: Seq, _ name: String) {
    lines[name] = Line(seq: seq)
    names[seq] = name
  }

  mutating func enumerate(_ kind: Kind, _ seq: Seq) { counted[kind, default: []].append(seq) }

  /// Takes note of a decision about a line that has a name.
  mutating func learn(_ entry: JSONDocument) {
    let envelope = EntryView(of: entry)
    guard let seq = envelope.seq, let event = envelope.event else { return }
    if let action = entry.seq("action", of: event), let name = names[action] {
      lines[name]?.gesture = seq
    }
    guard let of = entry.member("of", of: event), entry.kind(of) == .list else { return }
    var item = of + 1
    while item < entry.end(of) {
      if let number = entry.integer(item), let name = names[Seq(number)] {
        lines[name]?.delivery = seq
      }
      item = entry.end(item)
    }
  }

  // MARK: In the place of a seq

  /// Whether a member of an event names a line where a seq is expected.
  static func isReference(_ key: JSONIndex, in line: JSONDocument) -> Bool {
    let value = key + 1
    guard line.kind(value) == .string else { return false }
    let text = line.raw(value)
    let namesEntry =
      text.firstIndex(of: UInt8(ascii: "@")) != nil || text.begins(with: "deliver:")
      || text.begins(with: "gesture:") || text.begins(with: "focus:")
    if namesEntry {
      return line.isKey(key, "cause") || line.isKey(key, "basis") || line.isKey(key, "of")
    }
    return text.equals("focus") && line.isKey(key, "basis")
  }

  /// The type and number in a reference such as `deliver:3`.
  private static func ordinal(_ word: String) -> (Kind, Int)? {
    let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])), let number = Int(parts[1])
    else { return nil }
    return (kind, number)
  }

  /// The seq that a reference stands for.
  func seq(_ key: JSONIndex, in line: JSONDocument) throws(Refusal) -> Seq {
    let word = line.string(key + 1)
    let field = "event.\(line.string(key))"
    if word == "focus" {
      if let focus = counted[.focus]?.last { return focus }
      throw Refusal(.seqUnknown, field: field, "the focus has not been anywhere yet")
    }
    if let (kind, number) = Self.ordinal(word) {
      let seqs = counted[kind] ?? []
      if number > 0, number <= seqs.count { return seqs[number - 1] }
      let known = "expected one of the \(seqs.count) \(kind.rawValue) entries so far"
      throw Refusal(.seqUnknown, field: field, "\(known); got \(number)")
    }
    let parts = word.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    guard ["", "deliver:", "gesture:"].contains(parts[0]), parts.count == 2 else {
      throw Refusal(
        .fieldInvalid,
        field: field,
        "expected @label, deliver:@label, gesture:@label or such as deliver:3; got \"\(word)\""
      )
    }
    guard let named = lines[String(parts[1])] else {
      throw Refusal(
        .seqUnknown,
        field: field,
        "expected the label of an earlier line that was taken; got \"\(parts[1])\""
      )
    }
    switch parts[0] {
    case "deliver:":
      if let delivery = named.delivery { return delivery }
      throw Refusal(.seqUnknown, field: field, "nothing of \"\(parts[1])\" was delivered yet")
    case "gesture:":
      if let gesture = named.gesture { return gesture }
      throw Refusal(.seqUnknown, field: field, "no gesture came of \"\(parts[1])\" yet")
    default: return named.seq
    }
  }
}
