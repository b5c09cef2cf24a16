// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yClient

// What becomes of messages.
extension Door {
  // MARK: Saying

  /// Takes a message: the client has its number first, and then all that happens to it.
  mutating func say(_ content: SsipContent, of id: Int, at now: Int64) {
    guard let guest = guests[id] else { return }
    let grammar = guest.grammar
    var message = DoorMessage(
      id: nextMessage(),
      content: content,
      voice: grammar.voice,
      priority: grammar.priority,
      notifications: grammar.notifications,
      block: grammar.block
    )
    message.parts = SsipSpeech(content, grammar.voice).parts
    send(SsipReply.queued.telling([String(message.id)]), to: id)
    if guest.messages.count >= Guest.mostMessages, let oldest = guest.messages.first {
      takeBack(oldest.id, of: id, for: .cancel)
      end(oldest.id, of: id, .cancel)
    }
    replaceBlocks(before: message, of: id)
    guests[id]?.messages.append(message)
    guard message.parts.contains(where: \.hasWords) else {
      begin(message.id, of: id)
      return end(message.id, of: id, .end)
    }
    if !guest.isPaused { offer(message.id, of: id, at: now) }
  }

  /// A text replaces the earlier ones of its client; the bus knows that of those outside of blocks.
  private mutating func replaceBlocks(before message: DoorMessage, of id: Int) {
    guard message.priority == .text, guests[id]?.badge?.isReader != true else { return }
    for old in guests[id]?.messages ?? [] {
      guard old.priority == .text, let block = old.block, block != message.block else { continue }
      takeBack(old.id, of: id, for: .cancel)
    }
  }

  /// Hands a message, or what is left of it, to the bus or to speech-dispatcher.
  mutating func offer(_ message: Int, of id: Int, at now: Int64) {
    guard let guest = guests[id], let index = guest.index(of: message) else { return }
    guard bus == .isThere else { return speakDirectly(message, of: id, at: now) }
    join(id)
    let ticket = nextTicket()
    guests[id]?.messages[index].place = .offered(ticket: ticket)
    guests[id]?.offers[ticket] = now
    act(.publish(id, event(for: guest.messages[index], of: id), ticket: ticket))
  }

  private mutating func speakDirectly(_ message: Int, of id: Int, at now: Int64) {
    guard let index = guests[id]?.index(of: message) else { return }
    guests[id]?.messages[index].place = .direct
    guard let whole = guests[id]?.messages[index] else { return }
    if guests[id]?.direct == nil {
      let name = guests[id]?.grammar.name
      guests[id]?.direct = DirectLine(name)
      act(.call(id))
    }
    if let text = guests[id]?.direct?.say(whole, at: now), !text.isEmpty { act(.write(id, text)) }
  }

  private func event(for message: DoorMessage, of id: Int) -> Event {
    let text = message.parts.first?.text ?? ""
    guard guests[id]?.badge?.isReader != true else {
      let event = Event.announcement(text, kind: .reading).origin("ssip")
      return settings.keepsReading ? event.with("sensitive", false) : event
    }
    let key = guests[id]?.grammar.name?.connection ?? ""
    return Self.announcement(text, of: message, key: key.isEmpty ? "main" : key).origin("ssip")
  }

  /// An announcement of a program that is no screen reader.
  private static func announcement(
    _ text: SpeechText,
    of message: DoorMessage,
    key: String
  ) -> Event {
    switch message.priority {
    case .important: .announcement(text, priority: .high)
    case .message: .announcement(text, priority: .default, queue: true)
    // The messages of a block are one, and do not replace each other.
    case .text where message.block != nil: .announcement(text, priority: .default, queue: true)
    case .text:
      .announcement(text, priority: .default, mode: .latestInterrupt, queue: true).key(key)
    case .notification: .announcement(text, priority: .low)
    case .progress: .announcement(text, kind: .progress).key(key)
    }
  }

  // MARK: Orders

  /// Ends the message that is being spoken.
  mutating func stop(_ id: Int, at now: Int64) {
    guard let message = guests[id]?.messages.first(where: { $0.hasBegun && $0.fate == nil })
    else { return }
    if message.place == .direct {
      if let text = guests[id]?.direct?.order("STOP", at: now) { act(.write(id, text)) }
      return
    }
    takeBack(message.id, of: id, for: .cancel)
  }

  /// Ends all messages of a client.
  mutating func cancelAll(of id: Int, at now: Int64) {
    let open = guests[id]?.messages ?? []
    for message in open { takeBack(message.id, of: id, for: .cancel) }
    if open.contains(where: { $0.place == .direct }) {
      for message in guests[id]?.direct?.forgetWaiting() ?? [] { end(message, of: id, .cancel) }
      if let text = guests[id]?.direct?.order("CANCEL", at: now) { act(.write(id, text)) }
    }
    forgetIfDone(id)
  }

  /// Holds what a client has open, from the last mark on.
  mutating func pause(_ id: Int, at now: Int64) {
    guard guests[id]?.isPaused == false else { return }
    guests[id]?.isPaused = true
    if let text = guests[id]?.direct?.order("PAUSE", at: now) { act(.write(id, text)) }
    for message in guests[id]?.messages ?? [] { takeBack(message.id, of: id, for: .pause) }
  }

  mutating func resume(_ id: Int, at now: Int64) {
    guard guests[id]?.isPaused == true else { return }
    guests[id]?.isPaused = false
    if let text = guests[id]?.direct?.order("RESUME", at: now) { act(.write(id, text)) }
    for message in guests[id]?.messages ?? [] where message.place == .held {
      goOn(message.id, of: id, at: now)
    }
  }

  private mutating func goOn(_ message: Int, of id: Int, at now: Int64) {
    guard let index = guests[id]?.index(of: message) else { return }
    guests[id]?.messages[index].resume()
    offer(message, of: id, at: now)
  }

  /// Takes a message back from the bus.
  ///
  /// The client is told what becomes of it when the bus has told us, as speech-dispatcher tells it
  /// when its synthesizer has stopped: there are clients that would take an event right behind the
  /// answer for a part of that.
  private mutating func takeBack(_ message: Int, of id: Int, for fate: DoorMessage.Fate) {
    guard let index = guests[id]?.index(of: message), let whole = guests[id]?.messages[index],
      whole.fate != .cancel
    else { return }
    switch whole.place {
    case .recorded(let seq):
      if whole.fate == nil { act(.publish(id, .cancel(seq), ticket: nil)) }
      guests[id]?.messages[index].fate = fate
    // It has no seq, and is taken back as soon as the bus tells it.
    case .offered: guests[id]?.messages[index].fate = fate
    case .held: if fate == .cancel { end(message, of: id, .cancel) }
    case .direct: break
    }
  }

  /// A message that was taken back is no more with the bus; false where it was not taken back.
  private mutating func settle(_ message: Int, of id: Int, at now: Int64) -> Bool {
    guard let index = guests[id]?.index(of: message),
      let fate = guests[id]?.messages[index].fate
    else { return false }
    guard fate == .pause else {
      end(message, of: id, .cancel)
      return true
    }
    guests[id]?.messages[index].fate = nil
    guests[id]?.messages[index].place = .held
    guests[id]?.messages[index].rewind()
    guard let held = guests[id]?.messages[index] else { return true }
    if held.hasBegun { tell(.pause, message, of: id) }
    if guests[id]?.isPaused == false { goOn(message, of: id, at: now) }
    return true
  }

  // MARK: Telling

  /// Tells a client of a message, if it wants to know.
  mutating func tell(_ kind: SsipNotification, _ message: Int, of id: Int, mark: String? = nil) {
    guard let guest = guests[id], guest.isHere, let index = guest.index(of: message),
      guest.messages[index].notifications.contains(kind)
    else { return }
    let event = SsipReply(kind.code, kind.words)
      .telling([String(message), String(id)] + (mark.map { [$0] } ?? []))
    // Of marks the last one counts, and there may be many.
    if kind == .marks, guest.owed > Guest.mostOwed { return }
    send(event, to: id)
  }

  mutating func begin(_ message: Int, of id: Int) {
    guard let index = guests[id]?.index(of: message), let whole = guests[id]?.messages[index]
    else { return }
    guests[id]?.messages[index].hasBegun = true
    guests[id]?.messages[index].isResuming = false
    if whole.isResuming { tell(.resume, message, of: id) }
    if !whole.hasBegun { tell(.begin, message, of: id) }
  }

  mutating func tellMark(_ name: String, _ message: Int, of id: Int) {
    begin(message, of: id)
    tell(.marks, message, of: id, mark: name)
  }

  /// Tells of the places up to a run, or of all of the first part.
  private mutating func pass(upTo place: Int?, _ message: Int, of id: Int) {
    guard let index = guests[id]?.index(of: message),
      let part = guests[id]?.messages[index].parts.first,
      let passed = guests[id]?.messages[index].passed
    else { return }
    let end = place.map { $0 + 1 } ?? part.marks.count
    guard end > passed else { return }
    guests[id]?.messages[index].passed = end
    for names in part.marks[passed..<end] {
      for name in names { tellMark(name, message, of: id) }
    }
  }

  /// Closes a message with its only end.
  mutating func end(_ message: Int, of id: Int, _ kind: SsipNotification) {
    guard let index = guests[id]?.index(of: message) else { return }
    if kind == .end {
      begin(message, of: id)
      pass(upTo: nil, message, of: id)
    }
    tell(kind, message, of: id)
    if let closed = guests[id]?.messages.remove(at: index) { forgetEntry(of: closed) }
  }

  mutating func forgetEntry(of message: DoorMessage) {
    if let seq = message.seq { forgetEntry(seq) }
  }

  private mutating func forgetEntry(_ seq: Int64) {
    places[seq] = nil
    deliveries = deliveries.filter { !$0.value.seqs.contains(seq) }
  }

  // MARK: The bus

  /// Gives a client its connection to the bus, where it has none under its name.
  mutating func join(_ id: Int) {
    // One that takes another name waits for the answers on the connection that it has.
    guard bus == .isThere, let guest = guests[id], guest.offers.isEmpty else { return }
    let badge = guest.badge(by: settings)
    guard badge != guest.badge else { return }
    guests[id]?.badge = badge
    act(.join(id, app: badge.app, isReader: badge.isReader))
  }

  /// The bus is there, for the first time or again.
  package mutating func busCame(epoch: String, at now: Int64) {
    guard bus != .isThere else { return }
    bus = .isThere
    if self.epoch != epoch { stale = [] }
    self.epoch = epoch
    for id in guests.keys.sorted() where guests[id]?.isHere == true {
      if guests[id]?.grammar.name != nil { join(id) }
      // What they were told to have ended is not to be heard once more.
      for (badge, seq) in stale where badge == guests[id]?.badge {
        act(.publish(id, .cancel(seq), ticket: nil))
      }
      stale.removeAll { $0.badge == guests[id]?.badge }
    }
    proceedAll(at: now)
  }

  /// The bus is not there, or does not answer: speech-dispatcher speaks itself.
  package mutating func busLeft(at now: Int64) {
    guard bus != .isAway else { return }
    bus = .isAway
    (deliveries, places, early) = ([:], [:], [])
    for id in guests.keys.sorted() {
      guard let guest = guests[id] else { continue }
      if guest.badge != nil { act(.leave(id)) }
      guests[id]?.loseBadge()
      for message in guest.messages {
        if let seq = message.seq, let badge = guest.badge, stale.count < Self.mostStale {
          stale.append((badge, seq))
        }
        if settle(message.id, of: id, at: now) { continue }
        switch message.place {
        case .direct, .held: continue
        // Its own bus goes on with it, if it comes back.
        case .recorded where !guest.isHere: end(message.id, of: id, .cancel)
        case .offered where message.hasBegun, .recorded where message.hasBegun:
          end(message.id, of: id, .cancel)
        case .offered, .recorded: speakDirectly(message.id, of: id, at: now)
        }
      }
      forgetIfDone(id)
    }
    proceedAll(at: now)
  }

  /// A client's connection to the bus is lost, and perhaps no other; what is on record stays there.
  package mutating func linkLost(_ id: Int, at now: Int64) {
    guard guests[id]?.badge != nil else { return }
    guests[id]?.loseBadge()
    act(.leave(id))
    for message in guests[id]?.messages ?? [] {
      guard case .offered = message.place, !settle(message.id, of: id, at: now) else { continue }
      speakDirectly(message.id, of: id, at: now)
    }
    forgetIfDone(id)
  }

  /// The bus has a message on record.
  package mutating func recorded(_ ticket: Int64, as seq: Int64, of id: Int, at now: Int64) {
    guests[id]?.offers[ticket] = nil
    defer { forgetIfDone(id) }
    guard let index = guests[id]?.messages.firstIndex(where: { $0.place.has(ticket) }) else {
      // It was taken back meanwhile.
      if guests[id]?.badge != nil { act(.publish(id, .cancel(seq), ticket: nil)) }
      return
    }
    guests[id]?.messages[index].place = .recorded(seq)
    if guests[id]?.messages[index].fate != nil { act(.publish(id, .cancel(seq), ticket: nil)) }
    places[seq] = (id, guests[id]?.messages[index].id ?? 0)
    let waiting = early
    early = []
    for entry in waiting { hear(entry, at: now) }
  }

  /// The bus does not take a message; speech-dispatcher does.
  package mutating func refused(_ ticket: Int64, of id: Int, at now: Int64) {
    guests[id]?.offers[ticket] = nil
    defer { forgetIfDone(id) }
    guard let message = guests[id]?.messages.first(where: { $0.place.has(ticket) }),
      !settle(message.id, of: id, at: now)
    else { return }
    speakDirectly(message.id, of: id, at: now)
  }

  /// Takes an entry of the bus about what is spoken.
  package mutating func hear(_ entry: Entry, at now: Int64) {
    if let delivery = entry.delivery {
      guard delivery.of.contains(where: { places[$0] != nil }) else { return keepEarly(entry) }
      deliveries[delivery.seq] = (delivery.of, delivery.to)
    } else if let outcome = entry.outcome {
      guard let place = places[outcome.of] else { return keepEarly(entry) }
      conclude(outcome, place.message, of: place.guest, at: now)
    } else if entry.type == "speech", let of = entry.integer("of") {
      guard let delivery = deliveries[of] else { return keepEarly(entry) }
      guard delivery.reader == nil || delivery.reader == entry.conn else { return }
      for seq in delivery.seqs {
        guard let place = places[seq] else { continue }
        follow(entry, place.message, of: place.guest)
      }
    }
  }

  /// Keeps an entry that may be about a message whose seq we do not know yet.
  private mutating func keepEarly(_ entry: Entry) {
    let waits = guests.values.contains { guest in
      guest.messages.contains { if case .offered = $0.place { true } else { false } }
    }
    if waits, early.count < Self.mostEarly { early.append(entry) }
  }

  private mutating func follow(_ report: Entry, _ message: Int, of id: Int) {
    switch report.string("state") {
    case "started": begin(message, of: id)
    case "progress":
      guard let name = report.string("mark"), let index = guests[id]?.index(of: message),
        let whole = guests[id]?.messages[index]
      else { return }
      begin(message, of: id)
      guard let place = whole.parts.first?.place(of: name, from: whole.passed) else { return }
      pass(upTo: place, message, of: id)
    default: break
    }
  }

  /// The bus has ended an announcement of ours: the message goes on with its next part, or ends.
  private mutating func conclude(
    _ outcome: OutcomeEntry,
    _ message: Int,
    of id: Int,
    at now: Int64
  ) {
    guard let index = guests[id]?.index(of: message), let whole = guests[id]?.messages[index]
    else { return }
    defer { forgetIfDone(id) }
    forgetEntry(outcome.of)
    guard outcome.isHeard else {
      if settle(message, of: id, at: now) { return }
      // There is no voice at the bus, and there may be one here.
      if outcome.result == "undeliverable", !whole.hasBegun {
        return speakDirectly(message, of: id, at: now)
      }
      return end(message, of: id, .cancel)
    }
    guard whole.parts.count > 1 else { return end(message, of: id, .end) }
    begin(message, of: id)
    pass(upTo: nil, message, of: id)
    guests[id]?.messages[index].parts.removeFirst()
    guests[id]?.messages[index].passed = 0
    if !settle(message, of: id, at: now) { offer(message, of: id, at: now) }
  }
}

extension DoorMessage.Place {
  func has(_ ticket: Int64) -> Bool {
    self == .offered(ticket: ticket)
  }
}

extension SsipNotification {
  /// The number and the words of the event.
  fileprivate var code: Int {
    switch self {
    case .marks: 700
    case .begin: 701
    case .end: 702
    case .cancel: 703
    case .pause: 704
    case .resume: 705
    }
  }

  fileprivate var words: String {
    switch self {
    case .marks: "INDEX MARK"
    case .begin: "BEGIN"
    case .end: "END"
    case .cancel: "CANCELED"
    case .pause: "PAUSED"
    case .resume: "RESUMED"
    }
  }
}
