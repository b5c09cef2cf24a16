// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// Who reads to the user, and whether anybody does.
struct Readers: Sendable {
  /// Those who listen, the oldest first: it owns the speech.
  var listening: [Int64] = []
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

  var owner: Int64? { listening.first }

  enum Gate: Sendable {
    case open(Int64)
    /// It is not clear yet whether anybody reads.
    case waiting
    case closed
  }
}

extension Engine {
  /// Whether somebody is there to speak.
  var gate: Readers.Gate {
    if tally.status > 0 { return .waiting }
    guard let owner = readers.owner else { return readers.isAwaited ? .waiting : .closed }
    return readers.status ?? true ? .open(owner) : .closed
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
        offerAgain(speech.item, within: Bounds.grace)
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
    switch event.string(.state) {
    case "listening":
      guard !readers.listening.contains(conn) else { return }
      readers.listening.append(conn)
      if readers.owner == conn { welcome() }
    case "left":
      endPause(conn)
      if readers.speaker == conn {
        readers.speaker = nil
        readers.status = nil
      }
      leave(conn)
    default: break
    }
  }

  /// The first reader is there.
  private mutating func welcome() {
    readers.isAwaited = false
    alarms.cancel(.grace)
    // One that says nothing of itself counts as running, whatever the one before it has said.
    readers.status = nil
    presentState()
  }

  private mutating func leave(_ conn: Int64) {
    guard let place = readers.listening.firstIndex(of: conn) else { return }
    readers.listening.remove(at: place)
    guard place == 0 else { return }
    readers.isReading = false
    alarms.cancel(.reading)
    for cut in cuts { conclude(cut, heard: nil) }
    cuts = []
    pendingCut = nil
    if let item = speaking?.item { offerAgain(item, within: Bounds.grace) }
    endSpeaking()
    if readers.listening.isEmpty { awaitReader() }
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
    case .status: false
    case .announcement, .layout, .digest: item.priority != .high
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
    readers.status = item.isFinal
    readers.speaker = model.readerStatusConn
    if item.isFinal {
      if !wasOn { presentState() }
      return
    }
    if let item = speaking?.item, item.priority == .high, item.isAnnouncement {
      silence(by: cause, isHold: false)
      offerAgain(item, within: Bounds.grace)
      endSpeaking()
    } else if speaking != nil {
      cutSpeaking(.interrupted, by: cause, rule: Self.reader)
      silenceCut(by: cause)
    }
    rejectUnheard()
  }

  static var reader: String { "reader" }
  static var restart: String { "restart" }
}
