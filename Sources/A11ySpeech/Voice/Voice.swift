// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yClient

/// The voice: deliveries become messages of speech-dispatcher, and its events become reports.
///
/// The voice reads no clock and owns no socket. It gets deliveries, lines and the time, and answers
/// with acts. Every wait has a deadline of its own, because a synthesizer that has died says
/// nothing, and speech-dispatcher may then say nothing either. All times are in microseconds.
package struct Voice {
  /// The connection with speech-dispatcher.
  enum Link: Equatable {
    case closed
    /// A connection is being made.
    case opening
    /// The connection's own settings are being made.
    case introducing
    case ready
  }

  package private(set) var settings: VoiceSettings
  /// The directory of the sounds; nil where there are none.
  private let soundDirectory: String?
  var acts: [VoiceAct] = []
  var link = Link.closed
  private var reader = SsipReader()
  var dialogue = SsipDialogue()
  var current: Utterance?
  /// Utterances that were told to stop, and have not said yet that they did.
  var cut: [Utterance] = []
  var waiting: [Utterance] = []
  /// Events of messages whose number has not come yet.
  private var early: [SsipEvent] = []
  /// A delivery whose secret words come with the next line, or never.
  var hidden: HiddenDelivery?
  /// A sound that goes with the words after it, if they come at once.
  var sound: (name: String, until: Int64)?
  var repair = VoiceRepair()
  var watch = VoiceWatch()
  /// An end of processes that waits until nobody is spoken for.
  var mend: (act: VoiceAct, since: Int64)?
  /// The moment of the next report of progress.
  var tells: Int64?
  /// The numbers at speech-dispatcher of connections that were ours.
  private var earlier: [Int] = []
  /// The manner in which the connection speaks now.
  private var manner: VoiceManner?
  /// The synthesizer and language that speech-dispatcher has chosen for us.
  private(set) var usual = VoiceManner()

  /// The longest wait of a sound for the words that follow it.
  private static let soundPatience: Int64 = 20_000
  /// The longest wait for the news that a message has stopped.
  private static let cutPatience: Int64 = 2_000_000
  /// Deliveries in wait; the bus gives one at a time, so there are hardly ever any.
  private static let mostWaiting = 64
  private static let mostEarly = 16

  package init(_ settings: VoiceSettings, soundDirectory: String?) {
    self.settings = settings
    self.soundDirectory = soundDirectory
  }

  /// The acts since the last call, in order.
  package mutating func takeActs() -> [VoiceAct] {
    defer { acts.removeAll(keepingCapacity: true) }
    return acts
  }

  /// The moment at which `elapse` has to be called.
  package var due: Int64? {
    let deadlines = [
      dialogue.due, currentDue, hidden?.until, sound?.until, repair.due, lookDue, tellDue,
    ]
    return (deadlines + cut.map(\.due)).compactMap { $0 }.min()
  }

  // MARK: The bus

  /// Takes settings over, from the next utterance on.
  package mutating func adopt(_ settings: VoiceSettings) {
    self.settings = settings
    if link == .ready, repair.isHealthy { becomeAble() }
  }

  package mutating func receive(_ delivery: DeliveryEntry, at now: Int64) {
    giveUpSecret(hidden?.delivery, at: now)
    if let of = delivery.interrupts { silence(of, at: now) }
    if delivery.hiddenRuns.isEmpty {
      enqueue(delivery, delivery.speech.runs, isSecret: false, at: now)
    } else {
      hidden = HiddenDelivery(delivery, at: now)
    }
  }

  /// Takes the secret words of the last delivery.
  package mutating func receiveSecret(
    of seq: Int64,
    kind: String,
    _ speech: SpeechText,
    masked: String?,
    at now: Int64
  ) {
    guard let delivery = hidden.take(seq) else { return }
    let isPassword = kind == "value" && !settings.speaksPasswords
    let runs = isPassword ? delivery.runs(masked: masked) : speech.runs
    // What a screen reader reads is whole, and its sender has set the pauses.
    let whole = kind == "reading" ? runs : Self.separated(runs)
    enqueue(delivery, whole, isSecret: true, at: now)
  }

  /// Stops a delivery at once.
  package mutating func silence(_ seq: Int64, at now: Int64) {
    if hidden.take(seq) != nil {
      report(SpeechReport(of: seq, .interrupted, heard: 0))
    }
    if let place = waiting.firstIndex(where: { $0.delivery == seq }) {
      waiting.remove(at: place)
      report(SpeechReport(of: seq, .interrupted, heard: 0))
    }
    if current?.delivery == seq { cutCurrent(at: now) }
  }

  /// Ends all speech, because the program ends or the bus has gone; reports would mean nothing, or
  /// keep the bus from offering the words to the next reader.
  package mutating func stop(at now: Int64) {
    (waiting, current, cut, hidden, sound) = ([], nil, [], nil, nil)
    if link == .ready { command(.cancel, at: now) }
  }

  /// Speaks what is known of a delivery whose secret words have not come.
  mutating func giveUpSecret(_ delivery: DeliveryEntry?, at now: Int64) {
    guard let delivery else { return }
    hidden = nil
    let runs = Self.separated(delivery.speech.runs)
    enqueue(delivery, runs, isSecret: true, at: now)
    if runs.isEmpty {
      report(SpeechReport(of: delivery.seq, .lost, reason: "its secret words did not come"))
    }
  }

  /// Runs that the bus has taken apart at a hidden value, with the pauses between them again.
  private static func separated(_ runs: [SpeechText.Run]) -> [SpeechText.Run] {
    runs.enumerated().map { index, run in
      var run = run
      if index > 0 { run.text = ", " + run.text }
      return run
    }
  }

  private mutating func enqueue(
    _ delivery: DeliveryEntry,
    _ runs: [SpeechText.Run],
    isSecret: Bool,
    at now: Int64
  ) {
    if let earcon = delivery.earcon, settings.sounds, soundDirectory != nil {
      sound = (earcon, now + Self.soundPatience)
    }
    guard !runs.isEmpty else { return }
    guard link != .closed else {
      return report(SpeechReport(of: delivery.seq, .lost, reason: "no sound output"))
    }
    var runs = runs
    var manner = settings.manner(for: delivery.app)
    manner.takeManner(from: &runs)
    let spoken = MarkedText(runs, sound: takeSound())
    guard waiting.count < Self.mostWaiting else {
      report(SpeechReport(of: delivery.seq, .lost, reason: "too much waits for the voice"))
      return
    }
    if awaited == nil { tells = now + Self.tellInterval }
    waiting.append(Utterance(delivery.seq, spoken, manner, isSecret: isSecret, at: now))
    startNext(at: now)
  }

  /// The file of the sound that waits for words.
  mutating func takeSound() -> String? {
    guard let directory = soundDirectory, let name = sound?.name else { return nil }
    sound = nil
    return "\(directory)/\(name).wav"
  }

  mutating func report(_ report: SpeechReport) { acts.append(.report(report)) }

  // MARK: Speaking

  mutating func command(_ command: SsipDialogue.Command, at now: Int64) {
    if dialogue.isIdle { watch.begin(at: now) }
    if let line = dialogue.ask(command, at: now) { acts.append(.send(line)) }
  }

  mutating func startNext(at now: Int64) {
    guard link == .ready, mend == nil, current == nil, repair.lets(speakAt: now) else { return }
    let next: Utterance
    if repair.needsProof {
      next = Utterance(nil, .silence, settings.manner(for: nil), at: now)
    } else {
      guard !waiting.isEmpty else { return }
      next = waiting.removeFirst()
    }
    let wanted = next.manner.over(usual)
    for setting in wanted.settings(after: manner) { command(.set(setting), at: now) }
    manner = wanted
    current = next
    command(next.spoken.command.map { .utter($0) } ?? .speak, at: now)
  }

  private mutating func cutCurrent(at now: Int64) {
    guard var utterance = current, utterance.cut == nil else { return }
    utterance.cut = now
    guard utterance.message != nil else {
      // The text is on its way; the message stops as soon as it has a number.
      current = utterance
      return
    }
    current = nil
    callOff(utterance, at: now)
    startNext(at: now)
  }

  private mutating func callOff(_ utterance: Utterance, at now: Int64) {
    expectEnd(of: utterance, at: now)
    command(.cancel, at: now)
  }

  /// Waits for the news that an utterance has stopped, or has come to its end after all.
  mutating func expectEnd(of utterance: Utterance, at now: Int64) {
    guard utterance.message != nil else { return }
    var utterance = utterance
    utterance.due = now + Self.cutPatience
    cut.append(utterance)
  }

  func synthesizer(of utterance: Utterance) -> String {
    utterance.manner.over(usual).synthesizer ?? "the synthesizer"
  }

  // MARK: speech-dispatcher

  /// Begins: a voice is wanted from now on.
  package mutating func start() {
    link = .opening
    acts += [.tell(.connecting), .connect]
  }

  /// Takes a new connection; `earlier` has the numbers of those that were ours and have ended.
  package mutating func opened(earlier: [Int], at now: Int64) {
    (reader, dialogue, early, manner, usual) = (
      SsipReader(), SsipDialogue(), [], nil, VoiceManner()
    )
    (link, mend) = (.introducing, nil)
    self.earlier = earlier
    command(.set("CLIENT_NAME \(Self.clientName)"), at: now)
    command(.identify, at: now)
    command(.set("NOTIFICATION ALL ON"), at: now)
    command(.set("SSML_MODE ON"), at: now)
    command(.set("PRIORITY MESSAGE"), at: now)
    command(.get("OUTPUT_MODULE"), at: now)
    command(.get("LANGUAGE"), at: now)
  }

  private static let clientName = "user:a11y-speech:main"

  /// Takes the news that no connection could be made.
  package mutating func failed(_ reason: String, at now: Int64) {
    link = .closed
    fallSilent(reason, at: now)
  }

  /// Takes the news that the connection has ended.
  package mutating func closed(at now: Int64) {
    guard link == .ready || link == .introducing else { return }
    mend = nil
    let reason = "speech-dispatcher has ended"
    loseAll(reason, at: now)
    dialogue = SsipDialogue()
    if repair.needsProof { return proceed(repair.failAltogether(), because: reason, at: now) }
    repair.countLoss()
    reopen(because: reason)
  }

  /// Takes bytes from speech-dispatcher.
  package mutating func hear(_ bytes: some Sequence<UInt8>, at now: Int64) {
    guard let messages = reader.messages(in: bytes) else {
      repair.countLoss()
      return restart("speech-dispatcher does not speak its protocol", at: now)
    }
    for message in messages {
      if let event = message.event {
        takeEvent(event, at: now)
      } else if !(700..<800).contains(message.code) {
        takeAnswer(message, at: now)
      }
    }
  }

  private mutating func takeAnswer(_ answer: SsipMessage, at now: Int64) {
    let command = dialogue.answer()
    switch command {
    case .set(let setting):
      if !answer.isSuccess { acts.append(.tell(.settingRefused(setting))) }
    case .get("OUTPUT_MODULE"): usual.synthesizer = answer.details.first
    case .get("LANGUAGE"):
      usual.language = answer.details.first
      becomeReady(at: now)
    case .get: break
    case .identify: identify(answer.details.first.flatMap { Int($0) }, at: now)
    case .speak:
      if answer.code == 230 {
        let text = (current?.spoken ?? .silence).ssml
        if let line = dialogue.give(text, at: now) { acts.append(.send(line)) }
      } else {
        lose("speech-dispatcher refused a message: \(answer.words)", at: now)
      }
    case .text, .utter:
      if let number = answer.details.first.flatMap({ Int($0) }) {
        adopt(number: number, at: now)
      } else {
        lose("speech-dispatcher refused a text: \(answer.words)", at: now)
      }
    case .cancelAndRevive:
      acts.append(.revive)
      repair.rest(until: now + VoiceRepair.reviving)
    case .cancel, .cancelOther, .order, nil: break
    }
    if let line = dialogue.sendNext(at: now) { acts.append(.send(line)) }
  }

  /// Takes our number, and silences what an earlier life has left.
  ///
  /// speech-dispatcher speaks on for a client that has died, and knows it by its number alone. It
  /// counts upwards, so a number above ours is another speech-dispatcher's.
  private mutating func identify(_ number: Int?, at now: Int64) {
    guard let number else { return }
    for old in earlier where old < number { command(.cancelOther(old), at: now) }
    acts.append(.remember(number))
  }

  /// Takes the number of the current message, with the events that came before it.
  private mutating func adopt(number: Int, at now: Int64) {
    guard var utterance = current else { return }
    utterance.message = number
    utterance.given = now
    if utterance.cut != nil {
      current = nil
      callOff(utterance, at: now)
    } else {
      current = utterance
    }
    let events = early.filter { $0.message == number }
    early = []
    for event in events { takeEvent(event, at: now) }
    startNext(at: now)
  }

  private mutating func becomeReady(at now: Int64) {
    link = .ready
    if !repair.needsProof { becomeAble() }
    startNext(at: now)
  }

  private mutating func becomeAble() {
    let manner = settings.manner(for: nil).over(usual)
    acts.append(.able(true))
    acts.append(
      .tell(
        .speaking(
          synthesizer: manner.synthesizer ?? "its synthesizer",
          language: manner.language ?? "en",
          rate: manner.rate ?? 0
        )
      )
    )
  }

  // MARK: Events

  private mutating func takeEvent(_ event: SsipEvent, at now: Int64) {
    if current?.message == event.message {
      receiveOfCurrent(event.kind, at: now)
    } else if let place = cut.firstIndex(where: { $0.message == event.message }) {
      receiveOfCut(event.kind, place, at: now)
    } else if current != nil, early.count < Self.mostEarly {
      early.append(event)
    }
  }

  private mutating func receiveOfCurrent(_ kind: SsipEvent.Kind, at now: Int64) {
    switch kind {
    case .begin: begin(at: now)
    case .mark(let name):
      begin(at: now)
      guard var utterance = current, let mark = Int(name) else { return }
      repair.seeMark(of: synthesizer(of: utterance))
      let before = utterance.senderMark
      (utterance.mark, utterance.passed) = (mark, now)
      current = utterance
      if let seq = utterance.delivery, let passed = utterance.senderMark, passed != before {
        let heard = utterance.heard(until: now)
        report(SpeechReport(of: seq, .progress, heard: heard, mark: passed))
      }
    case .end:
      // The first message after a repair ends without having begun.
      begin(at: now)
      conclude(at: now)
    case .cancelled:
      guard let utterance = current else { return }
      current = nil
      reportCut(utterance, at: now)
      startNext(at: now)
    }
  }

  private mutating func begin(at now: Int64) {
    guard var utterance = current, utterance.began == nil else { return }
    (utterance.began, utterance.passed) = (now, now)
    current = utterance
    if let seq = utterance.delivery {
      tells = now + Self.tellInterval
      report(SpeechReport(of: seq, .started))
    }
  }

  private mutating func conclude(at now: Int64) {
    guard let utterance = current else { return }
    let marks = repair.expectsMarks(of: synthesizer(of: utterance))
    if utterance.spoken.hasWords, utterance.mark == nil, marks {
      return lose("another synthesizer than the chosen one answered", at: now)
    }
    current = nil
    if repair.succeed() { becomeAble() }
    if let seq = utterance.delivery {
      report(SpeechReport(of: seq, .finished, heard: utterance.heard(until: now)))
    }
    startNext(at: now)
  }

  private mutating func receiveOfCut(_ kind: SsipEvent.Kind, _ place: Int, at now: Int64) {
    switch kind {
    case .begin: cut[place].began = cut[place].began ?? now
    case .mark(let name): cut[place].mark = Int(name) ?? cut[place].mark
    case .end:
      let utterance = cut.remove(at: place)
      if let seq = utterance.delivery {
        report(SpeechReport(of: seq, .finished, heard: utterance.heard(until: now)))
      }
    case .cancelled: reportCut(cut.remove(at: place), at: now)
    }
  }

  mutating func reportCut(_ utterance: Utterance, at now: Int64) {
    guard let seq = utterance.delivery, !utterance.isLost else { return }
    report(
      SpeechReport(
        of: seq,
        .interrupted,
        heard: utterance.heard(until: now),
        reason: utterance.extent
      )
    )
  }

  /// A reason as the bus takes it: at most 128 bytes.
  static func reason(_ words: String) -> String {
    guard words.utf8.count > 128 else { return words }
    var short = ""
    for character in words {
      guard short.utf8.count + character.utf8.count <= 125 else { break }
      short.append(character)
    }
    return short + "…"
  }
}
