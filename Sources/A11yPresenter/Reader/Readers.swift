// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// Who reads to the user, and whether anybody does.
struct Readers: Sendable {
  /// A reader to which what is delivered goes.
  struct Listener: Sendable, Equatable {
    var conn: Int64
    /// The highest owns speech; 0 never does.
    var rank: Int64
    /// Its reports alone are believed, for it has promised to report every end.
    var isReporting: Bool
  }

  /// The highest rank first, among equals the oldest.
  var listening: [Listener] = []
  /// Since when there is none, as long as one may still come; nil where there is one, or nobody is
  /// waited for any more.
  var isAwaited = true
  /// What a reader has said of itself last and was not taken back.
  var status: Bool?
  /// Who said so.
  var speaker: Int64?
  /// The user reads by himself.
  var isReading = false
  /// Since when the user has stopped all speech until further notice.
  var pausedAt: Int64?

  /// The reader that speaks: the one of the highest rank, the oldest among equals.
  ///
  /// The others mirror it. Where none is above 0, nobody speaks.
  var owner: Listener? { listening.first.flatMap { $0.rank > 0 ? $0 : nil } }

  mutating func join(_ listener: Listener) {
    let place = listening.firstIndex { $0.rank < listener.rank } ?? listening.endIndex
    listening.insert(listener, at: place)
  }

  enum Gate: Sendable {
    case open(Int64)
    /// It is not clear yet whether anybody reads.
    case waiting
    case closed
  }
}

extension Presenter {
  /// Whether somebody is there to speak.
  var gate: Readers.Gate {
    if tally.status > 0 { return .waiting }
    guard let owner = readers.owner else { return readers.isAwaited ? .waiting : .closed }
    return readers.status ?? true ? .open(owner.conn) : .closed
  }

  /// A start: whoever was connected is not any more, and nobody is listening yet.
  mutating func reopen() {
    dropUnwritten()
    resumeByUser()
    readers = Readers()
    pauses = []
    pendingCut = nil
    for cut in cuts { conclude(cut, heard: nil) }
    cuts = []
    if let speech = speaking {
      // Words that the log does not have were never with anybody.
      if speech.seq == nil {
        park(speech.item, .queued)
      } else {
        offerAgain(speech.item, by: nil, within: Bounds.comeback)
      }
    }
    endSpeaking()
    // What they say was in the memory of a process that is gone.
    for seq in items.values.filter(\.isSecret).map(\.seq).sorted() {
      var why = Why()
      why.isSensitive = true
      settle(seq, .undeliverable, by: nil, rule: Self.restart, why)
    }
    awaitReader()
  }

  mutating func noteClient(_ event: borrowing WireEvent) {
    guard let conn = event.integer(.conn) else { return }
    let wasRead = isRead
    let owner = readers.owner
    switch event.string(.state) {
    case "listening":
      guard !readers.listening.contains(where: { $0.conn == conn }) else { return }
      let reader = Readers.Listener(
        conn: conn,
        rank: event.integer(.speech) ?? 50,
        isReporting: event.flag(.reports)
      )
      readers.join(reader)
      // One that comes and says nothing of itself counts as running, whatever was said before.
      if readers.owner == reader { readers.status = nil }
    case "unsubscribed": leave(conn)
    case "left":
      endPause(conn)
      leave(conn)
    default: return
    }
    if readers.owner?.conn != owner?.conn { passSpeech(from: owner) }
    if isRead, !wasRead { presentState() }
  }

  private var isRead: Bool { readers.owner != nil && readers.status ?? true }

  /// What a reader has said of itself goes with it, as the model has it.
  private mutating func leave(_ conn: Int64) {
    readers.listening.removeAll { $0.conn == conn }
    guard readers.speaker == conn, model.readerStatusConn == nil else { return }
    readers.speaker = nil
    readers.status = nil
  }

  /// Another reader owns speech now, or none: what is being spoken is offered once more.
  private mutating func passSpeech(from before: Readers.Listener?) {
    readers.isReading = false
    alarms.cancel(.reading)
    for cut in cuts { conclude(cut, heard: nil) }
    cuts = []
    pendingCut = nil
    if let item = speaking?.item {
      let isThere = readers.listening.contains { $0.conn == before?.conn }
      if isThere { silence(by: cause, isHold: false) }
      endSpeaking()
      offerAgain(item, by: nil, within: Bounds.comeback)
    }
    guard readers.owner != nil else {
      awaitReader()
      return
    }
    readers.isAwaited = false
    alarms.cancel(.grace)
  }

  private mutating func awaitReader() {
    readers.isAwaited = true
    alarms.set(.grace, at: now + Bounds.grace, by: cause)
  }

  /// Nobody has come.
  mutating func endGrace() {
    readers.isAwaited = false
    rejectUnheard()
  }

  /// Whatever a reader has said of itself, nobody may be there: then what has waited for its word ends.
  mutating func rejectIfClosed() {
    hasStatusSettled = false
    if case .closed = gate { rejectUnheard() }
  }

  /// Ends what waits for its turn though nobody is there to take it.
  mutating func rejectUnheard() {
    let waiting = itemsInLine.filter { item in
      item.stage != .held && isLostWithoutReader(item)
    }
    for item in waiting.sorted(by: { $0.seq < $1.seq }) { reject(item.seq) }
  }

  func isLostWithoutReader(_ item: Item) -> Bool {
    switch item.kind {
    // What was missed waits for somebody to tell of it.
    case .status, .digest: false
    case .announcement, .layout: item.priority != .high
    case .screen, .page, .focus, .value, .report: true
    }
  }

  private mutating func reject(_ seq: Seq) {
    guard let item = unpark(seq) else { return }
    reject(item)
  }

  mutating func reject(_ item: consuming Item) {
    var why = waited(item)
    why.reason = readers.owner == nil ? "no reader" : "reader off"
    why.heldBy = .readerOff
    settle(item, .undeliverable, by: nil, rule: Self.reader, why)
  }

  /// What a reader has said of itself has settled.
  mutating func changeStatus(_ item: Item) {
    let wasOn = readers.status ?? true
    // It goes with the reader that has said it, and one that has come since has said nothing.
    let isInForce = model.readerStatusConn != nil
    readers.status = isInForce ? item.isFinal : nil
    readers.speaker = model.readerStatusConn
    if readers.status ?? true {
      if !wasOn { presentState() }
      return
    }
    if let item = speaking?.item, isUrgent(item) {
      cutSpeaking(nil, by: cause, rule: Self.reader)
      silenceCut(by: cause)
      offerAgain(item, by: cause, within: Bounds.comeback)
    } else if speaking != nil {
      cutSpeaking(.interrupted, by: cause, rule: Self.reader)
      silenceCut(by: cause)
    }
    rejectUnheard()
  }

  static var reader: String { "reader" }
  static var restart: String { "restart" }
}
