// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// One event that a client has sent, or is about to, and what it was told of it.
final class SentEvent {
  /// How safe a client asks its event to be.
  enum Ack: String, CaseIterable, Comparable {
    case received, written, synced

    private var rank: Int { Ack.allCases.firstIndex(of: self) ?? 0 }
    static func < (a: Ack, b: Ack) -> Bool { a.rank < b.rank }
  }

  /// Stands in the event as its `ttl_ms`, by which an entry is told to be this one.
  let token: Int64
  let app: String
  let uid: UInt32
  /// The event as it is sent, and as it has to stand in the log.
  let sent: String
  let stored: String
  let dedupe: String?
  let ack: Ack
  /// The text that must be nowhere on the disk.
  let secret: String?
  /// Bytes of it have left its client.
  var isOut = false
  /// The last answer to it was a refusal: it must not be in the log on account of that request.
  var refusals = 0
  var requests = 0
  /// The seqs that it was given.
  var seqs: [Int64] = []

  init(
    token: Int64,
    app: String,
    uid: UInt32,
    sent: String,
    stored: String,
    dedupe: String?,
    ack: Ack,
    secret: String?
  ) {
    self.token = token
    self.app = app
    self.uid = uid
    self.sent = sent
    self.stored = stored
    self.dedupe = dedupe
    self.ack = ack
    self.secret = secret
  }

  /// Tokens are told from other numbers by their size.
  static let firstToken: Int64 = 10_000_000

  var request: String {
    var text = "\"op\":\"publish\",\"event\":\(sent)"
    if ack != .written { text += ",\"ack\":\"\(ack.rawValue)\"" }
    if let dedupe { text += ",\"dedupe\":\"\(dedupe)\"" }
    return text
  }
}
