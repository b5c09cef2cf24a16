// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Makes up events, in the form that they have to have in the log too.
final class EventMaker {
  private let dice: Dice
  private var nextToken = SentEvent.firstToken
  private(set) var publications: [Int64: SentEvent] = [:]

  /// How every secret begins, so that one search finds them all.
  private static let secretWord = "hush-"
  static let secretMark = Array(secretWord.utf8)

  init(_ dice: Dice) { self.dice = dice }

  var all: [SentEvent] { publications.values.sorted { $0.token < $1.token } }

  /// Whether the secret in a line is one that a client has sent, from its first letter to its last.
  func hasSent(secretIn line: [UInt8]) -> Bool {
    publications.values.contains { publication in
      guard publication.isOut, let secret = publication.secret else { return false }
      return line.contains(Array("\"\(secret)\"".utf8))
    }
  }

  /// A reader's report of a delivery.
  func report(_ state: String, of deliver: Int64, app: String, uid: UInt32) -> SentEvent {
    let token = nextToken
    nextToken += 1
    let event =
      "{\"type\":\"speech\",\"of\":\(deliver),\"state\":\"\(state)\",\"ttl_ms\":\(token)}"
    let publication = SentEvent(
      token: token,
      app: app,
      uid: uid,
      sent: event,
      stored: event,
      dedupe: nil,
      ack: .written,
      secret: nil
    )
    publications[token] = publication
    return publication
  }

  func make(app: String, uid: UInt32) -> SentEvent {
    let token = nextToken
    nextToken += 1
    var secret: String?
    let (sent, stored) = event(token, &secret)
    let dedupe = dice.chance(30) ? "d\(token)" : nil
    let roll = dice.below(100)
    let publication = SentEvent(
      token: token,
      app: app,
      uid: uid,
      sent: sent,
      stored: stored,
      dedupe: dedupe,
      ack: roll < 15 ? .received : roll < 70 ? .written : .synced,
      secret: secret
    )
    publications[token] = publication
    return publication
  }

  /// An event as it is sent and as it is stored.
  private func event(_ token: Int64, _ secret: inout String?) -> (String, String) {
    let ttl = "\"ttl_ms\":\(token)"
    switch dice.below(10) {
    case 0:
      let hidden = makeSecret()
      secret = hidden
      let start = "{\"type\":\"announcement\","
      let end = "\(ttl),\"sensitive\":true"
      return (
        "\(start)\"text\":\"\(hidden)\",\(end)}",
        "\(start)\(end),\"redacted\":\"\(length(hidden))\"}"
      )
    case 1:
      let hidden = makeSecret()
      secret = hidden
      let start = "{\"type\":\"elements\",\"upsert\":[{\"id\":\"pw\",\"label\":\"Password\","
      let traits = "\"traits\":[\"text-field\",\"secure\"]"
      let end = "}],\"window\":\"\(window)\",\(ttl)}"
      return (
        "\(start)\"value\":\"\(hidden)\",\(traits)\(end)",
        "\(start)\(traits),\"redacted\":\"\(length(hidden))\"\(end)"
      )
    case 2:
      return same(
        "{\"type\":\"elements\",\"upsert\":[\(element)],\"window\":\"\(window)\",\(ttl)}"
      )
    case 3:
      return same("{\"type\":\"page-scrolled\",\"text\":\"Page \(dice.below(9)) of 9\",\(ttl)}")
    case 4:
      let state = dice.pick(["opened", "active", "inactive"])
      return same(
        "{\"type\":\"window\",\"state\":\"\(state)\",\"title\":\"\(words)\","
          + "\"window\":\"\(window)\",\(ttl)}"
      )
    case 5: return same("{\"type\":\"layout-changed\",\"element\":\"e\(dice.below(4))\",\(ttl)}")
    case 6:
      let priority = dice.pick(["low", "default", "high"])
      return same(
        "{\"type\":\"announcement\",\"text\":\"\(words)\",\"priority\":\"\(priority)\",\(ttl)}"
      )
    case 7 where dice.chance(30):
      return same("{\"type\":\"screen-changed\",\"window\":\"\(window)\",\(ttl)}")
    case 7 where dice.chance(30):
      let running = dice.chance(60)
      return same("{\"type\":\"voiceover-status\",\"running\":\(running),\(ttl)}")
    default:
      return same("{\"type\":\"announcement\",\"text\":\"\(words)\",\(ttl)}")
    }
  }

  private func same(_ event: String) -> (String, String) { (event, event) }

  /// A dialog, or an element that may stand in it.
  private var element: String {
    if dice.chance(20) { return "{\"id\":\"d\",\"label\":\"\(words)\",\"role\":\"dialog\"}" }
    let parent = dice.chance(30) ? "\"parent\":\"d\"," : ""
    let state = dice.pick(["", ",\"role\":\"switch\",\"checked\":\(dice.chance(50))"])
    return "{\"id\":\"e\(dice.below(4))\",\(parent)\"label\":\"\(words)\"\(state)}"
  }

  private var window: String { "w\(dice.below(3))" }

  private var words: String {
    let word = dice.pick(["Item was added", "Größe 12 · ✓", "saved", "a \\\"quoted\\\" \\u0041"])
    // Now and then one that is longer than a page, or than a sector.
    let times = dice.once(in: 40) ? dice.within(60...190) : dice.within(1...6)
    return Array(repeating: word, count: times).joined(separator: " ")
  }

  private func makeSecret() -> String { Self.secretWord + dice.hex(dice.within(3...40)) }

  private func length(_ text: String) -> String {
    let count = text.unicodeScalars.count
    return count <= 8 ? "1-8" : count <= 32 ? "9-32" : "33+"
  }
}

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

/// Makes wishes for clients: subscriptions, and entries after which they ask the state.
struct WishMaker {
  private let dice: Dice
  private let chronicle: Chronicle

  init(_ dice: Dice, _ chronicle: Chronicle) {
    self.dice = dice
    self.chronicle = chronicle
  }

  /// A subscription, as a rule one that goes on where the client was before.
  func wish(_ client: SimClient) -> Asked.Wish {
    if let habit = client.habit, let cursor = client.lastCursor, dice.chance(70) {
      let from = Asked.Wish.From.cursor(epoch: cursor.epoch, seq: cursor.seq)
      return Asked.Wish(
        from: from,
        filter: habit.filter,
        isLatest: habit.isLatest,
        hasState: dice.chance(30)
      )
    }
    let from: Asked.Wish.From
    switch dice.below(10) {
    case 0..<4: from = .now
    case 4..<8: from = .start
    case 8:
      from = .cursor(
        epoch: dice.chance(70) ? chronicle.epoch : dice.hex(32),
        seq: Int64(dice.below(Int(chronicle.top) + 5))
      )
    default: from = .cursor(epoch: chronicle.epoch, seq: chronicle.top + 1_000_000)
    }
    return Asked.Wish(
      from: from,
      filter: filter(),
      isLatest: dice.chance(20),
      hasState: dice.chance(30)
    )
  }

  /// An entry after which the state is asked: as a rule one for which it was asked before.
  func pastSeq(retained: Int64) -> Int64? {
    switch dice.below(10) {
    case 0: nil
    case 1..<4: Int64(dice.within(Int(max(1, retained - 1))...Int(max(retained, chronicle.top))))
    default: chronicle.toldStates.isEmpty ? nil : dice.pick(chronicle.toldStates)
    }
  }

  private func filter() -> SimFilter? {
    var filter = SimFilter()
    switch dice.below(10) {
    case 0: filter.types = ["announcement"]
    case 1: filter.apps = [dice.pick(["app0", "app1", "nobody"])]
    case 2: filter.windows = ["w1"]
    case 3: filter.priorities = ["high", "default"]
    case 4:
      filter.types = ["elements", "layout-changed"]
      filter.elements = ["e1", "pw"]
    default: return nil
    }
    return filter
  }
}
