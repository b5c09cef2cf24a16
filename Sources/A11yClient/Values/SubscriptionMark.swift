// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// News of a subscription itself, between entries.
public enum SubscriptionMark: Hashable, Sendable {
  /// Windows, focus, reader and what is pending, as they are right at the cursor.
  case state(JSONValue, at: LogCursor)
  /// From here on entries come as they happen.
  case caughtUp(LogCursor)
  /// No entry passes the filter up to here.
  case checkpoint(LogCursor)
  /// Entries, both ends included, that the log no longer has.
  case gap(from: Int64, to: Int64, reason: String)
  /// This many entries gave way to newer ones of their kind.
  case skipped(count: Int64)
  /// The secret text of a `deliver` entry, which is neither kept nor repeated. The kind is `value`
  /// for a secure element, `text` for a sensitive event.
  case secret(of: Int64, kind: String, speak: SpeechText)
  /// The name of the action in a `gesture` entry of one's own app, which is neither kept nor
  /// repeated.
  case secretName(of: Int64, String)
  /// The connection is lost; the subscription goes on by itself when the bus is back.
  case away(reason: String)
  /// The bus lost, in a crash, entries that this subscription had given, both ends included.
  ///
  /// The bus uses their seqs again; the entries that follow are on record.
  case withdrawn(from: Int64, to: Int64)
  /// A new epoch of the numbering begins here: the bus ended in such a way that it may have given
  /// out entries that it no longer has.
  case newEpoch(String)
  /// The bus has another log than the one of the cursor, with this epoch; its entries follow from
  /// its beginning.
  case anotherLog(epoch: String)
  /// A mark of a later version of the bus.
  case other(name: String, JSONValue)

  /// The place in the log that the mark names, if it does.
  public var cursor: LogCursor? {
    switch self {
    case .state(_, let cursor), .caughtUp(let cursor), .checkpoint(let cursor): cursor
    case .gap, .skipped, .secret, .secretName, .away, .withdrawn, .newEpoch, .anotherLog, .other:
      nil
    }
  }
}

extension SubscriptionMark {
  /// The mark for a place that the bus does not know.
  init(_ refusal: BusRefusal, at cursor: LogCursor) {
    if let last = refusal.last {
      self = .withdrawn(from: last + 1, to: cursor.seq)
    } else {
      self = .anotherLog(epoch: refusal.epoch ?? "")
    }
  }

  /// Copies a mark out of a parsed line.
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
    case ("secret", _) where line["kind"]?.string == "action":
      self = .secretName(of: line["of"]?.integer ?? 0, line["name"]?.string ?? "")
    case ("secret", _):
      let speak = line["speak"].flatMap { SpeechText($0) } ?? SpeechText(runs: [])
      let kind = line["kind"]?.string ?? "text"
      self = .secret(of: line["of"]?.integer ?? 0, kind: kind, speak: speak)
    default: self = .other(name: name, line)
    }
  }
}
