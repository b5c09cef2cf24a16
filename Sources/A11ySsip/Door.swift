// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yClient

/// The door through which programs that know speech-dispatcher speak to the bus.
///
/// Bytes of clients, news of the bus and of speech-dispatcher, and the time go in; acts come out. A
/// client is answered as speech-dispatcher answers. Its messages go to the bus or, where there is
/// none, to speech-dispatcher itself, and each has exactly one end, whatever becomes of it.
package struct Door {
  /// A thing that the door wants done.
  package enum Act: Equatable {
    /// Bytes for a client.
    case send(Int, [UInt8])
    /// A client's connection ends, once all that was sent has gone.
    case dismiss(Int)
    /// A connection to the bus, under a name; one that there was ends.
    case join(Int, app: String, isReader: Bool)
    /// An event from a client's connection to the bus.
    case publish(Int, Event, ticket: Int64?)
    /// A client's connection to the bus ends.
    case leave(Int)
    /// The bus does not answer, and is to be looked for anew.
    case renew
    /// A connection to speech-dispatcher; that of the door itself has the number 0.
    case call(Int)
    case write(Int, String)
    case hangUp(Int)
  }

  /// Whether messages go to the bus.
  enum Bus: Equatable {
    /// It has not answered yet; until then messages wait.
    case unknown(until: Int64)
    case isThere
    case isAway
  }

  package var settings: DoorSettings
  var guests: [Int: Guest] = [:]
  var bus: Bus
  private var acts: [Act] = []
  private var lastGuest = 0
  private var lastMessage = 0
  private var lastTicket: Int64 = 0
  /// Where messages on record belong, by the seqs of their entries.
  var places: [Int64: (guest: Int, message: Int)] = [:]
  /// Whose words a delivery has, and the connection of the reader that speaks it.
  var deliveries: [Int64: (seqs: [Int64], reader: Int64?)] = [:]
  /// News of entries of which the bus has not told us yet that they are ours.
  var early: [Entry] = []
  /// Entries whose clients were told an end while the bus was away.
  var stale: [(badge: Guest.Badge, seq: Int64)] = []
  var epoch: String?
  var inquiry = Inquiry()

  /// Clients at once, those included that have left and are still spoken for.
  package static let mostGuests = 256
  static let mostEarly = 1_024
  static let mostStale = 1_024
  /// The longest wait for the bus: for its first answer, and for the record of an event.
  static let patience: Int64 = 2_000_000

  package init(_ settings: DoorSettings, at now: Int64) {
    self.settings = settings
    bus = .unknown(until: now + Self.patience)
  }

  /// What is to be done, in this order.
  package mutating func takeActs() -> [Act] {
    defer { acts = [] }
    return acts
  }

  mutating func act(_ act: Act) { acts.append(act) }

  // MARK: Clients

  /// A client comes; its number, or nil where there is no room.
  package mutating func open(at now: Int64) -> Int? {
    // The oldest of those that have left gives way; the bus still speaks for it.
    if guests.count >= Self.mostGuests,
      let old = guests.keys.filter({ guests[$0]?.isHere == false }).min()
    {
      forget(old)
    }
    guard guests.count < Self.mostGuests else { return nil }
    lastGuest += 1
    guests[lastGuest] = Guest(id: lastGuest)
    return lastGuest
  }

  /// Takes what a client has sent.
  package mutating func receive(_ bytes: [UInt8], from id: Int, at now: Int64) {
    guard guests[id]?.isHere == true else { return }
    guests[id]?.grammar.append(bytes)
    proceed(id, at: now)
  }

  /// A client has gone, and what it has had said goes on.
  package mutating func close(_ id: Int, at now: Int64) {
    guests[id]?.isHere = false
    guests[id]?.waiting = nil
    // A pause ends with the one who could have ended it.
    if guests[id]?.isPaused == true { resume(id, at: now) }
    forgetIfDone(id)
  }

  /// Forgets a client that has left, as soon as nothing of it is to be said or taken back; until
  /// then others may cancel it.
  mutating func forgetIfDone(_ id: Int) {
    guard let guest = guests[id], !guest.isHere, guest.offers.isEmpty, guest.messages.isEmpty
    else { return }
    forget(id)
  }

  private mutating func forget(_ id: Int) {
    guard let guest = guests[id] else { return }
    for message in guest.messages { forgetEntry(of: message) }
    guests[id] = nil
    if guest.badge != nil { act(.leave(id)) }
    if guest.direct != nil { act(.hangUp(id)) }
  }

  /// Carries out a client's wishes, up to one that has to wait.
  mutating func proceed(_ id: Int, at now: Int64) {
    while let guest = guests[id], guest.isHere, guest.owed < Guest.mostOwed {
      guard let wish = guests[id]?.waiting.take() ?? guests[id]?.grammar.next() else { return }
      guard carryOut(wish, of: id, at: now) else {
        guests[id]?.waiting = wish
        return
      }
    }
  }

  /// Goes on with those whose wishes have waited.
  mutating func proceedAll(at now: Int64) {
    for id in guests.keys.sorted() where guests[id]?.waiting != nil { proceed(id, at: now) }
  }

  private mutating func reply(_ reply: SsipReply, to id: Int) { send(reply, to: id) }

  /// Sends a reply or an event.
  mutating func send(_ reply: SsipReply, to id: Int) {
    let bytes = reply.bytes
    guests[id]?.owed += bytes.count
    act(.send(id, bytes))
  }

  /// A client has taken bytes, after which there may be room for answers.
  package mutating func sent(_ count: Int, to id: Int, at now: Int64) {
    guests[id]?.owed -= count
    proceed(id, at: now)
  }

  /// Whether more is to be read from a client.
  package func isReading(_ id: Int) -> Bool {
    guard let guest = guests[id] else { return false }
    return guest.waiting == nil && guest.owed < Guest.mostOwed
  }

  // MARK: Wishes

  /// Carries a wish out; false where it has to wait.
  private mutating func carryOut(_ wish: SsipClient.Wish, of id: Int, at now: Int64) -> Bool {
    switch wish {
    case .reply(let answer): reply(answer, to: id)
    case .say(let content):
      if case .unknown = bus { return false }
      say(content, of: id, at: now)
    case .set(let scope, let setting): set(setting, scope, of: id)
    case .get(let question):
      if let value = guests[id]?.grammar.voice.value(of: question) {
        reply(SsipReply.got.telling([value]), to: id)
        return true
      }
      return answer(.value(question), to: id, at: now)
    case .list(let list): return tell(list, to: id, at: now)
    case .clientID: reply(SsipReply.clientID.telling([String(id)]), to: id)
    case .stop(let scope):
      order(scope, of: id, .stopped) { door, guest in door.stop(guest, at: now) }
    case .cancel(let scope):
      order(scope, of: id, .cancelled) { door, guest in door.cancelAll(of: guest, at: now) }
    case .pause(let scope):
      order(scope, of: id, .paused) { door, guest in door.pause(guest, at: now) }
    case .resume(let scope):
      order(scope, of: id, .resumed) { door, guest in door.resume(guest, at: now) }
    case .leave:
      reply(.bye, to: id)
      act(.dismiss(id))
      close(id, at: now)
    }
    return true
  }

  private mutating func set(_ setting: SsipSetting, _ scope: SsipScope, of id: Int) {
    let these = guests(in: scope, of: id)
    guard !these.isEmpty else { return reply(setting.replies.strange, to: id) }
    for guest in these { guests[guest]?.grammar.take(setting) }
    if case .clientName = setting { join(id) }
    reply(setting.replies.done, to: id)
  }

  private func guests(in scope: SsipScope, of id: Int) -> [Int] {
    switch scope {
    case .own: [id]
    case .all: guests.keys.sorted()
    case .client(let number): guests[number]?.isHere == true ? [number] : []
    }
  }

  /// Carries out a command about the messages of clients, which is answered first.
  private mutating func order(
    _ scope: SsipScope,
    of id: Int,
    _ done: SsipReply,
    _ body: (inout Door, Int) -> Void
  ) {
    if case .client(let number) = scope, number <= 0 { return reply(.noSuchID, to: id) }
    reply(done, to: id)
    for guest in guests(in: scope, of: id) { body(&self, guest) }
  }

  // MARK: What speech-dispatcher knows

  private mutating func tell(_ list: SsipList, to id: Int, at now: Int64) -> Bool {
    switch list {
    case .voices:
      let names = SsipSetting.VoiceType.allCases.map { $0.rawValue.uppercased() }
      reply(SsipReply.voices.telling(names), to: id)
      return true
    case .modules:
      return answer(.init(module: nil, line: "LIST OUTPUT_MODULES"), to: id, at: now)
    case .synthesisVoices(let language, let variant):
      let words = ["LIST SYNTHESIS_VOICES", language, variant].compactMap { $0 }
      let module = guests[id]?.grammar.voice.outputModule
      return answer(
        .init(module: module, line: words.joined(separator: " ")),
        to: id,
        at: now
      )
    }
  }

  /// Answers as speech-dispatcher has answered; false where it has to be asked first.
  private mutating func answer(
    _ question: Inquiry.Question,
    to id: Int,
    at now: Int64
  ) -> Bool {
    if let answer = inquiry.answers[question] {
      reply(answer, to: id)
      return true
    }
    let isFirst = inquiry.isIdle
    let text = inquiry.ask(question, at: now)
    if isFirst, !inquiry.isOpen { act(.call(0)) }
    if !text.isEmpty { act(.write(0, text)) }
    return false
  }

  /// Answers those who wait for speech-dispatcher, which does not answer.
  private mutating func answerWithoutIt(at now: Int64) {
    inquiry.close()
    act(.hangUp(0))
    for id in guests.keys.sorted() {
      switch guests[id]?.waiting {
      case .get(let question)?: reply(SsipReply.got.telling([question.usual]), to: id)
      case .list(.modules)?: reply(.modules, to: id)
      case .list?: reply(.noVoices, to: id)
      default: continue
      }
      guests[id]?.waiting = nil
      proceed(id, at: now)
    }
  }

  // MARK: Lines to speech-dispatcher

  /// A connection to speech-dispatcher stands.
  package mutating func lineOpened(_ line: Int, at now: Int64) {
    let text = line == 0 ? inquiry.open(at: now) : guests[line]?.direct?.open(at: now)
    if let text, !text.isEmpty { act(.write(line, text)) }
  }

  /// A connection to speech-dispatcher has ended, or cannot be made.
  package mutating func lineClosed(_ line: Int, at now: Int64) {
    guard line != 0 else { return answerWithoutIt(at: now) }
    guests[line]?.direct = nil
    for message in guests[line]?.messages ?? [] where message.place == .direct {
      end(message.id, of: line, .cancel)
    }
    forgetIfDone(line)
  }

  /// Takes what speech-dispatcher has sent.
  package mutating func hear(_ bytes: [UInt8], on line: Int, at now: Int64) {
    guard line != 0 else { return hearAnswers(bytes, at: now) }
    guard let heard = guests[line]?.direct?.hear(bytes, at: now) else {
      act(.hangUp(line))
      return lineClosed(line, at: now)
    }
    if !heard.text.isEmpty { act(.write(line, heard.text)) }
    for one in heard.news { tell(one, to: line) }
    forgetIfDone(line)
  }

  private mutating func hearAnswers(_ bytes: [UInt8], at now: Int64) {
    guard let text = inquiry.hear(bytes, at: now) else { return answerWithoutIt(at: now) }
    if !text.isEmpty { act(.write(0, text)) }
    if inquiry.isIdle {
      inquiry.close()
      act(.hangUp(0))
    }
    proceedAll(at: now)
  }

  private mutating func tell(_ news: DirectLine.News, to id: Int) {
    switch news {
    case .begun(let message): begin(message, of: id)
    case .mark(let message, let name): tellMark(name, message, of: id)
    case .ended(let message): end(message, of: id, .end)
    case .cancelled(let message): end(message, of: id, .cancel)
    case .paused(let message): tell(.pause, message, of: id)
    case .resumed(let message): tell(.resume, message, of: id)
    }
  }

  // MARK: Time

  /// The moment at which time brings something.
  package var due: Int64? {
    var dues = [inquiry.due] + guests.values.map { $0.direct?.due }
    if case .unknown(let until) = bus { dues.append(until) }
    dues += guests.values.flatMap(\.offers.values).map { $0 + Self.patience }
    return dues.compactMap { $0 }.min()
  }

  package mutating func elapse(to now: Int64) {
    if case .unknown(let until) = bus, until <= now { busLeft(at: now) }
    if let due = inquiry.due, due <= now { answerWithoutIt(at: now) }
    for id in guests.keys.sorted() {
      if let due = guests[id]?.direct?.due, due <= now {
        act(.hangUp(id))
        lineClosed(id, at: now)
      }
    }
    let oldest = guests.values.flatMap(\.offers.values).min()
    if let oldest, oldest + Self.patience <= now {
      busLeft(at: now)
      act(.renew)
    }
  }

  // MARK: Numbers

  mutating func nextMessage() -> Int {
    lastMessage += 1
    return lastMessage
  }

  mutating func nextTicket() -> Int64 {
    lastTicket += 1
    return lastTicket
  }
}

extension SsipQuestion {
  /// What speech-dispatcher has where nobody has set anything.
  fileprivate var usual: String {
    switch self {
    case .voiceType: "MALE1"
    case .outputModule: "espeak-ng"
    case .language: "en-us"
    case .rate, .pitch: "0"
    case .volume: "100"
    case .punctuation: "none"
    }
  }
}
