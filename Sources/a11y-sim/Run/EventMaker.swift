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
