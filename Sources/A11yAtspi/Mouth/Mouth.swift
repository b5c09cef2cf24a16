// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yClient

/// The hand-over of deliveries to Orca: entries, answers and the time go in, acts come out.
///
/// Orca tells nobody when it has spoken a text, so each end is an estimate, and says so. Of the bus
/// one text is with Orca at a time; a text that was to be cut, and cannot be, is spoken to its end,
/// and the next one behind it.
package struct Mouth: Sendable {
  /// A deed for the program.
  package enum Act: Equatable, Sendable {
    /// Takes deliveries from now on, with the entries behind this place; nil for none any more.
    case listen(LogCursor?)
    /// Makes another connection to the bus, which tells how far the log has come.
    case renew
    /// Has the bus know us as a reader of this rank.
    case rank(Int)
    case hand(String, delivery: Int64)
    /// Has Orca stop, for the sake of this delivery.
    case interrupt(Int64)
    case post(Event)
  }

  /// A text that is with Orca.
  private struct Handed {
    let delivery: Int64
    /// The events that it speaks for.
    let of: [Int64]
    /// The estimated bounds of its speech.
    let begin: Int64
    let end: Int64
    var isTold = false

    var length: Duration { .microseconds(end - begin) }
  }

  /// The bus that deliveries come from.
  private struct Server {
    let conn: Int64
    let epoch: String
    /// The last entry before this connection.
    let last: Int64
    /// Whether nothing can have come since.
    var isFresh = true
  }

  package private(set) var orca: Orca?
  /// Whether this is the session's one mouth.
  private var isChosen = false
  private var isListening = false
  private var server: Server?
  private var position: LogCursor?
  /// The last entry before Orca came.
  private var arrival: Int64?
  private var origins = OriginTable()
  private var current: Handed?
  /// Texts that are being stopped, with the time of the order.
  private var stopping: [(text: Handed, at: Int64)] = []
  /// Texts that Orca speaks, or has spoken, to their end, the oldest first.
  private var whole: [Handed] = []
  private var hidden: HiddenDelivery?
  /// The time at which Orca has spoken all that it was handed.
  private var freeAt: Int64 = 0
  private var acts: [Act] = []

  /// The connections of screen readers that have their own words said by the bus.
  private var narrators: Set<Int64> = []

  /// Before the voice, for Orca is there by the user's wish.
  package static let rank = 60

  /// The time in which Orca speaks a character, in microseconds.
  package var perCharacter: Int64 = 50_000

  /// Entries before the arrival of Orca that are looked through for the origin of the focus.
  static let lookBack: Int64 = 1_000
  /// Texts that are not handed to the same Orca again, should the bus offer them again.
  static let mostWhole = 64
  static let mostStopping = 8

  package init() {}

  /// The deeds since the last time.
  package mutating func takeActs() -> [Act] {
    defer { acts = [] }
    return acts
  }

  /// The time at which `elapse` has something to do.
  package var due: Int64? {
    let speech = current.map { $0.isTold ? $0.end : $0.begin }
    return [speech, hidden?.until].compactMap { $0 }.min()
  }

  // MARK: Orca

  /// Takes what has become of Orca.
  package mutating func meet(_ found: Orca?) {
    guard found != orca else { return }
    if found?.connection != orca?.connection {
      forgetSpeech()
      (whole, freeAt, arrival) = ([], 0, nil)
      if isListening { stopListening() }
    }
    orca = found
    listenIfAble()
  }

  /// Takes whether this is the session's one mouth.
  package mutating func choose(_ isChosen: Bool) {
    guard isChosen != self.isChosen else { return }
    self.isChosen = isChosen
    if !isChosen, isListening {
      forgetSpeech()
      stopListening()
    }
    listenIfAble()
  }

  private mutating func stopListening() {
    isListening = false
    acts.append(.listen(nil))
  }

  private mutating func listenIfAble() {
    guard orca != nil, isChosen, let server, !isListening else { return }
    let place: LogCursor?
    if arrival == nil {
      guard server.isFresh else {
        self.server = nil
        acts.append(.renew)
        return
      }
      arrival = server.last
      place = LogCursor("\(server.epoch):\(max(0, server.last - Self.lookBack))")
    } else {
      // The origins of what has come meanwhile are wanted, too.
      place = position
    }
    guard let place = place ?? LogCursor("\(server.epoch):\(server.last)") else { return }
    isListening = true
    acts.append(.listen(place))
  }

  private mutating func forgetSpeech() { (current, hidden, stopping) = (nil, nil, []) }

  // MARK: The bus

  /// Takes the introduction of the bus: our connection, and the end of its log.
  package mutating func connected(conn: Int64, epoch: String, last: Int64) {
    server = Server(conn: conn, epoch: epoch, last: last)
    isListening = false
    listenIfAble()
    server?.isFresh = false
  }

  /// Takes the loss of the bus, which will offer again what is with Orca now.
  package mutating func disconnected() {
    forgetSpeech()
    (server, isListening) = (nil, false)
  }

  /// Takes the bus's refusal of the place from which deliveries were to come.
  package mutating func restart() {
    guard let server, isListening else { return }
    position = nil
    if let now = LogCursor("\(server.epoch):\(server.last)") { acts.append(.listen(now)) }
  }

  /// Takes an entry of the log.
  package mutating func heed(_ entry: Entry, at now: Int64) {
    guard let server else { return }
    position = LogCursor("\(server.epoch):\(entry.seq)")
    origins.note(entry)
    noteNarrators(entry)
    // Older ones were for a reader that has gone.
    guard entry.seq > server.last else { return }
    if let delivery = entry.delivery {
      if let of = delivery.interrupts { cut(of, at: now) }
      if delivery.to == server.conn { judge(delivery, at: now) }
    } else if let of = entry.silence?.of {
      cut(of, at: now)
    }
  }

  /// Steps back while a screen reader has its own words said by the bus: it would say ours there,
  /// too.
  private mutating func noteNarrators(_ entry: Entry) {
    let wereThere = !narrators.isEmpty
    switch entry.type {
    case "announcement":
      if entry.string("class") == "reading" { narrators.insert(entry.conn) }
    case "client":
      if entry.string("state") == "left", let conn = entry.integer("conn") {
        narrators.remove(conn)
      }
    case "opened": narrators = []
    default: return
    }
    guard wereThere == narrators.isEmpty else { return }
    forgetSpeech()
    server = nil
    acts.append(.rank(narrators.isEmpty ? Self.rank : 0))
  }

  private mutating func judge(_ delivery: DeliveryEntry, at now: Int64) {
    // The bus has gone on without the end of the one before.
    (current, hidden) = (nil, nil)
    let since = arrival ?? 0
    if !delivery.of.isEmpty, delivery.of.allSatisfy({ origins.wasHeard($0, since: since) }) {
      guard !delivery.speech.runs.isEmpty else { return }
      post(.speech(of: delivery.seq, .elsewhere, by: Orca.name))
    } else if delivery.hiddenRuns.isEmpty {
      hand(delivery, delivery.speech.runs, at: now)
    } else {
      hidden = HiddenDelivery(delivery, at: now)
    }
  }

  /// Takes the hidden words of the last delivery, which no log and no report may hold.
  package mutating func receiveSecret(
    of seq: Int64,
    kind: String,
    _ speech: SpeechText,
    masked: String?,
    at now: Int64
  ) {
    guard let delivery = hidden.take(seq) else { return }
    // A password is not said aloud.
    hand(delivery, kind == "value" ? delivery.runs(masked: masked) : speech.runs, at: now)
  }

  // MARK: Speech

  private mutating func hand(_ delivery: DeliveryEntry, _ runs: [SpeechText.Run], at now: Int64) {
    let text = Self.plainText(of: runs)
    // A sound without words is none of Orca's.
    guard !text.isEmpty else { return }
    if delivery.isAgain, let place = whole.firstIndex(where: { $0.of == delivery.of }) {
      let earlier = whole[place]
      current = Handed(
        delivery: delivery.seq,
        of: delivery.of,
        begin: earlier.begin,
        end: max(earlier.end, now)
      )
    } else {
      let begin = max(now, freeAt)
      freeAt = begin + Int64(text.unicodeScalars.count) * perCharacter
      let handed = Handed(delivery: delivery.seq, of: delivery.of, begin: begin, end: freeAt)
      current = handed
      remember(handed)
      acts.append(.hand(text, delivery: delivery.seq))
    }
    elapse(to: now)
  }

  /// The words as one plain text; what is to be spelled is spelled.
  private static func plainText(of runs: [SpeechText.Run]) -> String {
    let parts = runs.map { run in
      run.spell == true ? run.text.map(String.init).joined(separator: " ") : run.text
    }
    return PlainText.collapsed(parts.joined())
  }

  private mutating func remember(_ handed: Handed) {
    if whole.count == Self.mostWhole { whole.removeFirst() }
    whole.append(handed)
  }

  /// Ends a text before its time, where Orca lets it be ended.
  private mutating func cut(_ seq: Int64, at now: Int64) {
    if hidden.take(seq) != nil {
      post(.speech(of: seq, .interrupted, heard: .zero))
    }
    guard let handed = current, handed.delivery == seq else { return }
    current = nil
    guard orca?.stops == true, stopping.count < Self.mostStopping else {
      return tellEnd(of: handed)
    }
    whole.removeAll { $0.of == handed.of }
    stopping.append((handed, now))
    freeAt = now
    acts.append(.interrupt(seq))
  }

  /// Takes Orca's answer to the order to stop.
  package mutating func stopped(_ delivery: Int64, _ hasStopped: Bool) {
    guard let place = stopping.firstIndex(where: { $0.text.delivery == delivery }) else { return }
    let (handed, at) = stopping.remove(at: place)
    guard hasStopped else {
      remember(handed)
      return tellEnd(of: handed)
    }
    let heard = Duration.microseconds(max(0, at - handed.begin))
    post(.speech(of: delivery, .interrupted, heard: heard, isEstimated: true))
  }

  /// Takes Orca's refusal of a text.
  package mutating func failed(_ delivery: Int64, _ reason: String) {
    guard let handed = current, handed.delivery == delivery else { return }
    current = nil
    whole.removeAll { $0.of == handed.of }
    freeAt = handed.begin
    post(.speech(of: delivery, .lost, reason: String(reason.prefix(64))))
  }

  /// Tells what has begun or ended by this time.
  package mutating func elapse(to now: Int64) {
    if let delivery = hidden.takeLate(at: now) {
      post(.speech(of: delivery.seq, .lost, reason: "its secret words did not come"))
    }
    guard let handed = current else { return }
    if !handed.isTold, handed.begin <= now {
      current?.isTold = true
      post(.speech(of: handed.delivery, .started))
    }
    guard handed.end <= now else { return }
    current = nil
    tellEnd(of: handed)
  }

  private mutating func tellEnd(of handed: Handed) {
    post(.speech(of: handed.delivery, .finished, heard: handed.length, isEstimated: true))
  }

  private mutating func post(_ event: Event) { acts.append(.post(event)) }
}

/// The entries that came from foreign programs through AT-SPI, as far back as matters.
struct OriginTable {
  /// Longer than anything waits for its turn.
  private static let most = 2_048

  private var known: [Int64: Bool] = [:]
  private var order: [Int64] = []

  /// Notes an entry: an event that came through AT-SPI, or a move of the focus that one has led to.
  mutating func note(_ entry: Entry) {
    let isFocus = entry.conn == 0 && entry.type == "focus"
    let came =
      isFocus
      ? entry.integer("by").map { known[$0] != nil } ?? false : entry.string("origin") == "atspi"
    guard came, known.updateValue(isFocus, forKey: entry.seq) == nil else { return }
    order.append(entry.seq)
    guard order.count >= 2 * Self.most else { return }
    for seq in order.prefix(Self.most) { known[seq] = nil }
    order.removeFirst(Self.most)
  }

  /// Whether Orca, there since an entry, has heard this one by itself.
  ///
  /// Of the focus it tells by itself as soon as it comes.
  func wasHeard(_ seq: Int64, since: Int64) -> Bool {
    known[seq].map { isFocus in isFocus || seq > since } ?? false
  }
}
