// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// A line from the bus that is no entry, taken apart.
struct Message {
  enum Kind: Equatable {
    case mark(String)
    case ok(Int64)
    case refusal(Int64)
    case bye
    case warning
    case unknown
  }

  private(set) var kind = Kind.unknown
  /// `cursor`, of a mark or of an answer.
  private(set) var cursor: (epoch: String, seq: Int64)?
  private(set) var from: Int64?
  private(set) var to: Int64?
  private(set) var reason: String?
  private(set) var count: Int64?
  private(set) var seq: Int64?
  private(set) var durability: SentEvent.Ack?
  private(set) var isDuplicate = false
  private(set) var epoch: String?
  private(set) var last: Int64?
  private(set) var first: Int64?
  private(set) var conn: Int64?
  private(set) var of: Int64?
  /// The entry of the rules in force, of an answer to `reload`.
  private(set) var rules: Int64?
  private(set) var code = ""
  private(set) var words = ""

  /// Reads a line; nil where it is not strict JSON.
  init?(_ line: [UInt8], with reader: JSONReader) {
    do throws(JSONFault) { try reader.read(line.span) } catch { return nil }
    let document = reader.document
    var body = document.root
    if let mark = document.string("mark", of: 0) {
      kind = .mark(mark)
    } else if let bye = document.member("bye", of: 0) {
      kind = .bye
      body = bye
    } else if document.member("warn", of: 0) != nil {
      kind = .warning
    } else if let ok = document.member("ok", of: 0), let id = document.integer("id", of: 0) {
      kind = .ok(id)
      body = ok
    } else if let refusal = document.member("err", of: 0) {
      kind = .refusal(document.integer("id", of: 0) ?? 0)
      body = refusal
    }
    cursor = document.string("cursor", of: body).flatMap(Self.cursor)
    from = document.integer("from", of: body)
    to = document.integer("to", of: body)
    reason = document.string("reason", of: body)
    count = document.integer("count", of: body)
    seq = document.integer("seq", of: body)
    durability = document.string("durability", of: body).flatMap(SentEvent.Ack.init)
    isDuplicate = document.member("duplicate", of: body) != nil
    epoch = document.string("epoch", of: body)
    last = document.integer("last", of: body)
    first = document.integer("first", of: body)
    conn = document.integer("conn", of: body)
    of = document.integer("of", of: body)
    rules = document.integer("rules", of: body)
    code = document.string("code", of: body) ?? ""
    words = document.string("msg", of: body) ?? ""
  }

  private static func cursor(_ text: String) -> (epoch: String, seq: Int64)? {
    let parts = text.split(separator: ":")
    guard parts.count == 2, let seq = Int64(parts[1]) else { return nil }
    return (String(parts[0]), seq)
  }
}

/// A request that a client has sent and is not answered yet.
enum Asked {
  case hello
  case publish(SentEvent)
  case ping
  case subscribe(Wish)
  case unsubscribe
  /// The state right after this entry, or the present one.
  case state(at: Int64?)
  /// Rules are to be read again.
  case reload
  /// An app is to be forgotten, of which there were entries up to this one.
  case forget(app: String, through: Int64)

  /// A client's wish to be sent entries.
  struct Wish {
    enum From {
      case now, start
      case cursor(epoch: String, seq: Int64)
    }

    let from: From
    let filter: SimFilter?
    let isLatest: Bool
    /// It wants to be told first what is the case.
    let hasState: Bool

    var request: String {
      var text = "\"op\":\"subscribe\""
      switch from {
      case .now: text += ",\"from\":\"now\""
      case .start: text += ",\"from\":\"start\""
      case .cursor(let epoch, let seq): text += ",\"from\":\"\(epoch):\(seq)\""
      }
      if let filter { text += ",\"filter\":\(filter.json)" }
      if hasState { text += ",\"state\":true" }
      if isLatest { text += ",\"mode\":\"latest\"" }
      return text
    }
  }
}
