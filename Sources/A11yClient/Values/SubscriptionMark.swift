// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// What a subscription tells about itself, between entries.
public enum SubscriptionMark: Hashable, Sendable {
  /// Windows, focus, reader and what is pending, as they are right at the cursor.
  case state(JSONValue, at: LogCursor)
  /// From here on entries come as they happen.
  case caughtUp(LogCursor)
  /// Nothing that the filter lets through up to here.
  case checkpoint(LogCursor)
  /// Entries, both ends included, that the log no longer has.
  case gap(from: Int64, to: Int64, reason: String)
  /// So many entries gave way to newer ones of their kind.
  case skipped(count: Int64)
  /// The text of a `deliver` entry that is not kept; it is never repeated. Its kind is `value`, of a
  /// secure element, or `text`, of a sensitive event.
  case secret(of: Int64, kind: String, speak: SpeechText)
  /// The connection is lost; the subscription goes on by itself when the bus is back.
  case away(reason: String)
  /// The bus lost, in a crash, entries that this subscription had been given, both ends included.
  ///
  /// Their seqs are used again. What follows is what is on record.
  case withdrawn(from: Int64, to: Int64)
  /// The bus numbers its entries anew from here on, in this epoch: it has ended in such a way that
  /// entries may have been handed out that it does not have any more.
  case newEpoch(String)
  /// The bus has another log than the one that the place was in, with this epoch: what follows is all
  /// that it has, from its beginning.
  case anotherLog(epoch: String)
  /// A mark of a later version of the bus.
  case other(name: String, JSONValue)

  /// The place in the log that the mark names, if it does.
  public var cursor: LogCursor? {
    switch self {
    case .state(_, let cursor), .caughtUp(let cursor), .checkpoint(let cursor): cursor
    case .gap, .skipped, .secret, .away, .withdrawn, .newEpoch, .anotherLog, .other: nil
    }
  }
}

extension SubscriptionMark {
  /// What it means that the bus does not know a place.
  init(_ refusal: BusRefusal, at cursor: LogCursor) {
    if let last = refusal.last {
      self = .withdrawn(from: last + 1, to: cursor.seq)
    } else {
      self = .anotherLog(epoch: refusal.epoch ?? "")
    }
  }

  /// Copies a mark out of a line that was read.
  package init(_ document: borrowing JSONDocument) throws(ClientError) {
    let line = JSONValue(document, document.root)
    guard let name = line["mark"]?.string else { throw .malformed(line.description) }
    let cursor = line.cursor
    switch (name, cursor) {
    case ("state", let cursor?): self = .state(line["state"] ?? .null, at: cursor)
    case ("caught-up", let cursor?): self = .caughtUp(cursor)
    case ("checkpoint", let cursor?): self = .checkpoint(cursor)
    case ("gap", _):
      guard let from = line["from"]?.integer, let to = line["to"]?.integer else {
        throw .malformed(line.description)
      }
      self = .gap(from: from, to: to, reason: line["reason"]?.string ?? "unknown")
    case ("skipped", _): self = .skipped(count: line["count"]?.integer ?? 0)
    case ("secret", _):
      let speak = line["speak"].flatMap { SpeechText($0) } ?? SpeechText(runs: [])
      let kind = line["kind"]?.string ?? "text"
      self = .secret(of: line["of"]?.integer ?? 0, kind: kind, speak: speak)
    default: self = .other(name: name, line)
    }
  }
}
