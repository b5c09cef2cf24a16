// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yCompanion
import A11yPosix
import A11ySpeech
import A11yToml
import Systemd

/// The process around the voice: the bus on one side, speech-dispatcher on the other.
final class SpeechProgram {
  private let shell: Companion<VoiceSettings>
  private let link: BusLink
  private var bus: CompanionLink?
  private let busPath: String
  private var dispatcher: SpeechDispatcher?
  private var voice: Voice
  private var conn: Int64?
  private var condition = VoiceCondition.connecting
  private var ending: Timer?

  static let name = "a11y-speech"
  /// Before a reader without a voice, and behind a screen reader.
  private static let rank = 50
  /// The time that speech-dispatcher has to end by itself.
  private static let endingPatience: UInt64 = 300_000

  init(_ options: CompanionOptions, _ address: SpeechAddress) throws {
    shell = try Companion(Self.name, options, mistaken: SpeechMessage.settingsMistaken.id) {
      LoadedCompanionSettings(name: VoiceSettings.fileName, option: $0)
    }
    busPath = options.socket ?? BusPath.reader
    link = try BusLink(
      path: busPath,
      introduction: Introduction(
        of: Self.name,
        voice: ReaderVoice(rank: Self.rank, reports: true)
      ),
      types: ["deliver", "silence"]
    )
    voice = Voice(shell.settings, soundDirectory: SoundFolder.make())
    dispatcher = try SpeechDispatcher(address, on: shell.loop) { [unowned self] in follow($0) }
    bus = try CompanionLink(link, on: shell.loop) { [unowned self] in serve() }
    ending = try Timer(on: .monotonic, priority: .high, on: shell.loop) { [unowned self] in
      dispatcher?.kill()
      shell.loop.exit(0)
    }
    try shell.obey(
      onStop: { [unowned self] in stop() },
      onReload: { [unowned self] settings in
        voice.adopt(settings)
        turn()
      }
    )
  }

  /// Runs until it is told to end, and returns the exit code.
  func runUntilEnd() throws(Errno) -> Int32 {
    shell.report.manager.ready()
    voice.start()
    turn()
    serve()
    return try shell.loop.run()
  }

  private var now: Int64 { Int64(clamping: SystemClock.monotonicMicroseconds()) }

  // MARK: Turns

  /// Takes what the bus has sent, and what the time has brought.
  private func serve() {
    if shell.serve(link, receive) { turn() }
  }

  /// Does what the voice wants, and sets the alarm.
  private func turn() {
    voice.elapse(to: now)
    while true {
      let acts = voice.takeActs()
      if acts.isEmpty { break }
      for act in acts { perform(act) }
    }
    tellStatus()
    bus?.setAlarm(for: voice.due)
  }

  private func perform(_ act: VoiceAct) {
    switch act {
    case .send(let text): dispatcher?.send(text)
    case .report(let speech): post(speech)
    case .connect: dispatcher?.connect()
    case .revive: dispatcher?.revive()
    case .restart: dispatcher?.restart()
    case .replace: dispatcher?.replace()
    case .look: voice.observe(work: dispatcher?.work(), at: now)
    case .remember(let number): dispatcher?.remember(number)
    case .able(let isAble):
      link.isAble = isAble
      // The code of starts and repairs is not needed for speaking.
      if isAble { Machine.forgetStart() }
    case .tell(let condition): tell(condition)
    }
  }

  private func post(_ speech: SpeechReport) {
    let event = Event.speech(
      of: speech.of,
      speech.state,
      heard: speech.heardMilliseconds.map { .milliseconds($0) },
      mark: speech.mark,
      reason: speech.reason
    )
    // A bus that has gone takes the delivery for lost by itself.
    try? link.post(event)
  }

  // MARK: The bus

  private func receive(_ news: BusLink.News) {
    switch news {
    case .connected(let info): conn = info.conn
    case .entry(let entry):
      if let delivery = entry.delivery {
        if delivery.to == conn {
          voice.receive(delivery, at: now)
        } else if let of = delivery.interrupts {
          voice.silence(of, at: now)
        }
      } else if let silence = entry.silence, let of = silence.of {
        voice.silence(of, at: now)
      }
    case .secret(let of, let kind, let words, let masked):
      voice.receiveSecret(of: of, kind: kind, words, masked: masked, at: now)
    case .away:
      // The numbers of its deliveries mean nothing to the next bus.
      conn = nil
      voice.stop(at: now)
    case .recorded, .unrecorded, .refused: break
    }
  }

  // MARK: The voice

  private func follow(_ news: SpeechLine.News) {
    switch news {
    case .opened: voice.opened(earlier: dispatcher?.earlier ?? [], at: now)
    case .failed(let reason): voice.failed(reason, at: now)
    case .bytes(let bytes): voice.hear(bytes, at: now)
    case .closed: voice.closed(at: now)
    }
    turn()
  }

  private func tell(_ condition: VoiceCondition) {
    guard case .settingRefused = condition else { return self.condition = condition }
    shell.report.say(.warning, "\(condition.sentence).", SpeechMessage.settingRefused.id)
  }

  private func tellStatus() {
    let bus = conn == nil ? "waiting for the bus at \(busPath); " : ""
    let sentence = bus + condition.sentence
    switch condition {
    case .noSound(let reason):
      shell.report.status(sentence, .error, SpeechMessage.noSound.id, reason: reason)
    case .repairing(let reason):
      shell.report.status(sentence, .warning, SpeechMessage.repairing.id, reason: reason)
    case .connecting, .speaking, .settingRefused: shell.report.status(sentence)
    }
  }

  private func stop() {
    voice.stop(at: now)
    for act in voice.takeActs() { perform(act) }
    guard dispatcher?.terminate() == true else { return shell.loop.exit(0) }
    ending?.arm(afterMicroseconds: Self.endingPatience)
  }
}

/// The folder in the runtime directory in which the sounds stand as files, for synthesizers.
enum SoundFolder {
  /// Writes the sounds that are missing; nil where there is no place for them.
  static func make(environment: (String) -> String? = Environment.value) -> String? {
    guard let base = environment("XDG_RUNTIME_DIR") else { return nil }
    let folder = base + "/a11yd/sounds"
    do throws(Errno) {
      try Directory.create(folder, mode: 0o700)
      for sound in Earcon.allCases {
        let path = "\(folder)/\(sound.rawValue).wav"
        let file = try FileDescriptor.open(path, [.writeOnly, .create, .truncate, .noFollow])
        try file.writeAll(sound.wave.span)
      }
      return folder
    } catch {
      return nil
    }
  }
}

/// From the command line to the running voice.
@main
enum Main {
  private static let summary = """
    Speaks what the accessibility notification bus delivers, through speech-dispatcher, and reports
    to the bus how far each text was heard. Without a speech-dispatcher it starts one.
    """

  static func main() {
    CompanionMain.start(
      SpeechProgram.name,
      summary: summary,
      extras: [
        .init(
          "speech-address",
          "ADDRESS",
          "the socket of speech-dispatcher, as in unix_socket:/run/user/1000/speechd.sock"
        )
      ]
    ) { options in
      let address = try SpeechAddress(option: options.value("speech-address"))
      return try SpeechProgram(options, address).runUntilEnd()
    }
  }
}
