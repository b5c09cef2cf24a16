// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The shape that the value of a field must have.
///
/// The one place that says so: checking, storing, the words of a refusal and the JSON
/// Schemas of `describe` are all read off these cases.
public enum Shape: Sendable {
  case flag
  /// True, false, or `"mixed"`.
  case checked
  case integer(ClosedRange<Int64>)
  case number
  /// A seq of the log, 1 or more.
  case seq
  /// `"auto"`, `"user"`, or the seq of an action.
  case cause
  /// A string of 1 to `bytes` bytes.
  case name(bytes: Int)
  /// A string, empty or not, of up to `bytes` bytes.
  case text(bytes: Int)
  /// A name without control characters, in which nothing can hide.
  case label(bytes: Int)
  /// A word of small letters and hyphens; apps may invent new ones.
  case word
  case oneOf(WordSet)
  /// Text to speak: a string, or runs with their attributes.
  case speakable
  /// A list of `count` integers: a point, a frame.
  case integers(count: Int)
  case list(Item)
  /// An object whose members are checked themselves.
  case object(Record)

  /// The shape of a list's values.
  public enum Item: Sendable {
    case name(bytes: Int)
    case oneOf(WordSet)
    case object(Record)
    case integer
  }

  /// Objects within requests and events.
  public enum Record: Sendable {
    case event, filter, element, place, run
  }
}

/// Words that a field chooses from.
public enum WordSet: Sendable {
  case acknowledgement, action, gestureResponse, mode, priority, role, speechState
  case subscriptionMode, trait, type, windowState

  public var words: [StaticString] {
    switch self {
    case .acknowledgement: ["received", "written", "synced"]
    case .action:
      [
        "next", "previous", "first", "last", "focus", "touch", "activate", "increment",
        "decrement", "scroll", "escape", "magic-tap", "custom", "stop", "repeat", "pause",
        "resume",
      ]
    case .gestureResponse: ["escape", "magic-tap"]
    case .mode: ["all", "latest", "latest-interrupt", "current-then-latest"]
    case .priority: ["low", "default", "high"]
    case .role: ["reader"]
    case .speechState:
      ["started", "finished", "interrupted", "lost", "elsewhere", "progress"]
    case .subscriptionMode: ["lossless", "latest"]
    case .trait:
      [
        "button", "link", "static-text", "search-field", "image", "keyboard-key", "header",
        "selected", "not-enabled", "adjustable", "allows-direct-interaction", "plays-sound",
        "updates-frequently", "starts-media-session", "summary-element", "causes-page-turn",
        "text-field", "secure",
      ]
    case .type:
      [
        "announcement", "layout-changed", "screen-changed", "page-scrolled", "focus-changed",
        "voiceover-status", "elements", "window", "handled", "busy", "pause", "resume", "cancel",
        "zoom-focus-changed", "content-size-changed", "action", "do-not-disturb", "speech",
        "focus", "deliver", "silence", "outcome", "gesture", "seat", "opened", "closed",
        "rules", "client", "forgot", "forgotten",
      ]
    case .windowState: ["opened", "active", "inactive", "closed"]
    }
  }

  func contains(_ word: Span<UInt8>) -> Bool {
    for known in words where word.equals(known) { return true }
    return false
  }

  /// “low, default or high”.
  var spoken: String {
    let all = words.map(\.description)
    guard let last = all.last, all.count > 1 else { return all.first ?? "nothing" }
    return all.dropLast().joined(separator: ", ") + " or " + last
  }
}

extension Shape {
  /// The words behind “expected …”.
  var expected: String {
    switch self {
    case .flag: "true or false"
    case .checked: "true, false or \"mixed\""
    case .integer(let range):
      range.upperBound == .max
        ? "an integer from \(range.lowerBound) on"
        : "an integer from \(range.lowerBound) to \(range.upperBound)"
    case .number: "a number"
    case .seq: "the seq of an entry (an integer from 1 on)"
    case .cause: "\"auto\", \"user\" or the seq of an action"
    case .name(let bytes): "a string of 1 to \(bytes) bytes"
    case .text(let bytes): "a string of up to \(bytes) bytes"
    case .label(let bytes): "a string of 1 to \(bytes) bytes without control characters"
    case .word: "1 to 32 of the characters a to z and -"
    case .oneOf(let set): set.spoken
    case .speakable:
      "a text of 1 to \(Limits.textBytes) bytes, or a list of runs [{\"text\":…}]"
    case .integers(let count): "a list of \(count) integers"
    case .list(.name(let bytes)): "a list of strings of 1 to \(bytes) bytes"
    case .list(.oneOf(let set)): "a list of \(set.spoken)"
    case .list(.object(.element)): "a list of elements"
    case .list(.object): "a list of objects"
    case .list(.integer): "a list of integers"
    case .object: "an object"
    }
  }
}
