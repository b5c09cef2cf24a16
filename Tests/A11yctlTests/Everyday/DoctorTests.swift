// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation
import Testing

@testable import A11yClient
@testable import A11ySpeech
@testable import a11yctl

/// The doctor on machines of all conditions.
struct DoctorTests {
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  /// A machine on which nothing is there but what is named.
  private func machine(
    files: [String] = [],
    programs: [String] = [],
    environment: [String: String] = [:],
    units: [String: String] = [:],
    sockets: [String: MachineFacts.Talk] = [:],
    processes: [Int32] = []
  ) -> MachineFacts {
    MachineFacts(
      environment: { environment[$0] },
      isThere: files.contains,
      isInstalled: programs.contains,
      units: UnitManager(isThere: { path in units.keys.contains { path.hasSuffix("/\($0)") } }) {
        words in
        let condition = units[words.last ?? ""]
        return condition.map { OtherProgram.Answer(status: 0, output: $0) }
      },
      answer: { _, _ in nil },
      talk: { path, _, _ in sockets[path] ?? .nobody },
      processes: { $0 == "a11y-speech" ? processes : [] },
      room: { _ in .max },
      now: { RecordedEntry.began }
    )
  }

  /// A service that runs, and has said this of itself.
  private static func running(_ status: String) -> String { "\(well)StatusText=\(status)\n" }

  private static let well = "ActiveState=active\nUnitFileState=enabled\n"
  private static let off = "ActiveState=inactive\nUnitFileState=disabled\n"
  private static let failed = "ActiveState=failed\nUnitFileState=enabled\n"
  private static let path = "/run/user/1000/a11yd/bus.sock"

  // MARK: The bus

  @Test func `a bus that does not run is started by the unit that is there`() {
    let facts = machine(units: ["a11yd.socket": Self.off])

    let found = BusCheck(path: Self.path, facts).diagnoses

    #expect(found.map(\.verdict) == [.wrong, .wrong])
    #expect(
      found.map(\.remedy) == [
        "systemctl --user start a11yd.socket", "systemctl --user enable --now a11yd.socket",
      ]
    )
    #expect(
      found.first?.line == "Wrong: The bus does not run: there is no socket at \(Self.path)."
        + " Try: systemctl --user start a11yd.socket"
    )
  }

  @Test func `without a unit no unit is named`() {
    let found = BusCheck(path: Self.path, machine()).diagnoses

    #expect(found.map(\.remedy) == ["a11yd --socket \(Self.path)", nil])
    #expect(found.map(\.verdict) == [.wrong, .note])
  }

  @Test func `a service that has failed is told beside a good socket`() {
    let facts = machine(units: ["a11yd.socket": Self.well, "a11yd.service": Self.failed])

    let found = BusCheck(path: Self.path, facts).diagnoses

    #expect(found.last?.remedy == "systemctl --user restart a11yd.service")
  }

  // MARK: Readers

  private func bus(_ state: JSONValue, _ stats: JSONValue) -> BusCheck.Bus {
    BusCheck.Bus(info: ServerInfo([:]), state: state, stats: stats, rules: nil)
  }

  @Test func `a reader that speaks is good, one that is off is wrong`() {
    let stats: JSONValue = ["subscribers": [["conn": 3, "app": "voice", "speech": 50]]]
    let on = bus(["reader": ["running": true, "conn": 3]], stats)
    let off = bus(["reader": ["running": false, "conn": 3]], stats)

    #expect(ReaderCheck.connected(on, machine()).map(\.verdict) == [.good])
    #expect(ReaderCheck.connected(off, machine()).map(\.remedy) == ["a11yctl reader on"])
    let mute = BusCheck.Bus(info: ServerInfo([:]), state: nil, stats: nil, rules: nil)
    #expect(ReaderCheck.connected(mute, machine()).map(\.verdict) == [.unchecked])
  }

  @Test(arguments: [
    (["a11y-speech.service": off], "a11yctl setup voice on"),
    ([:], "a11yctl listen"),
  ])
  func `where none speaks, the command is one of this machine`(
    units: [String: String],
    remedy: String
  ) {
    let found = ReaderCheck.connected(bus([:], [:]), machine(units: units))

    #expect(found.map(\.verdict) == [.wrong])
    #expect(found.map(\.remedy) == [remedy])
  }

  @Test func `that it is quiet is worth a note`() {
    let state: JSONValue = ["reader": ["running": true, "conn": 3], "do_not_disturb": 60]
    let stats: JSONValue = ["subscribers": [["conn": 3, "app": "voice", "speech": 50]]]

    let found = ReaderCheck.connected(bus(state, stats), machine())

    #expect(found.map(\.verdict) == [.good, .note])
    #expect(found.last?.words.hasPrefix("It is quiet until you say a11yctl quiet off") == true)
  }

  private static var heard: ReaderCheck.VoiceOnBus { .init(hasReader: true, isListening: true) }
  private static var unheard: ReaderCheck.VoiceOnBus { .init() }

  @Test func `a voice that is not installed is a note, one that has failed is wrong`() {
    let without = ReaderCheck.programs(machine(), Self.heard)
    let failed = ReaderCheck.programs(
      machine(units: ["a11y-speech.service": Self.failed]),
      Self.heard
    )
    let idle = ReaderCheck.programs(machine(units: ["a11y-speech.service": Self.off]), Self.unheard)
    let beginning = "ActiveState=activating\nUnitFileState=enabled\n"
    let early = ReaderCheck.programs(
      machine(units: ["a11y-speech.service": beginning]),
      Self.unheard
    )

    #expect(early.map(\.verdict) == [.unchecked])
    #expect(without.map(\.verdict) == [.note])
    #expect(failed.map(\.remedy) == ["systemctl --user restart a11y-speech.service"])
    #expect(idle.map(\.remedy) == ["a11yctl setup voice on"])
  }

  @Test func `settings of the voice that are no TOML are told with their place`() throws {
    let path = scratch("a11yd/speech.toml")
    try FileManager.default.createDirectory(
      atPath: scratch("a11yd"),
      withIntermediateDirectories: true
    )
    try Data("rate = fast\n".utf8).write(to: URL(filePath: path))
    let facts = machine(files: [path], environment: ["XDG_CONFIG_HOME": scratch.path])

    let found = ReaderCheck.programs(facts, Self.heard)

    #expect(found.last?.verdict == .wrong)
    #expect(found.last?.words.contains("\(path):1:") == true)
  }

  // MARK: Sound

  private static let home = ["XDG_RUNTIME_DIR": "/run/user/1000"]
  private static let speech = "/run/user/1000/speech-dispatcher/speechd.sock"
  private static let pulse = "/run/user/1000/pulse/native"

  /// A packet of PulseAudio's with a command, to the first question.
  private static func packet(_ command: UInt8) -> MachineFacts.Talk {
    let body: [UInt8] = [0x4c, 0, 0, 0, command, 0x4c, 0, 0, 0, 1]
    return .answer([0, 0, 0, 10] + [UInt8](repeating: 0xff, count: 16) + body)
  }

  private static func words(_ words: String) -> MachineFacts.Talk { .answer(Array(words.utf8)) }

  @Test func `synthesizers are named as speech-dispatcher lists them`() {
    let facts = machine(
      files: [Self.speech, Self.pulse],
      environment: Self.home,
      sockets: [
        Self.speech: Self.words(
          "208 OK CLIENT NAME SET\r\n250-espeak-ng\r\n250-dummy\r\n250 OK MODULE LIST SENT\r\n"
        ),
        Self.pulse: Self.packet(2),
      ]
    )

    let found = SoundCheck(facts: facts, isNeeded: true).diagnoses

    #expect(found.map(\.verdict) == [.good, .good])
    #expect(found.first?.words == "speech-dispatcher answers, with espeak-ng.")
    #expect(found.last?.words == "The sound server answers at \(Self.pulse).")
  }

  @Test func `the door is looked for where programs look for it`() throws {
    var variables = Self.home
    let path = try #require(SpeechAddress.door { variables[$0] })
    let units = ["a11y-ssip.socket": Self.well]
    func found(_ talk: MachineFacts.Talk?) -> [Diagnosis] {
      let sockets = talk.map { [path: $0] } ?? [:]
      let facts = machine(environment: variables, units: units, sockets: sockets)
      return DoorCheck(facts: facts).diagnoses
    }

    #expect(found(nil).map(\.verdict) == [.note])
    #expect(DoorCheck(facts: machine(environment: variables)).diagnoses.isEmpty)
    variables["SPEECHD_ADDRESS"] = "unix_socket:\(path)"
    #expect(found(nil).map(\.remedy) == ["a11yctl setup door on"])
    #expect(found(.silence).map(\.verdict) == [.wrong])
    #expect(found(Self.words("245-1\r\n245 OK CLIENT ID SENT\r\n")).map(\.verdict) == [.good])
  }

  @Test(arguments: [true, false])
  func `what is missing for sound is wrong only where a voice needs it`(isNeeded: Bool) {
    let facts = machine(
      programs: ["apt-get"],
      environment: Self.home,
      units: ["pulseaudio.socket": Self.off]
    )

    let found = SoundCheck(facts: facts, isNeeded: isNeeded).diagnoses

    #expect(found.map(\.verdict) == (isNeeded ? [.wrong, .wrong] : [.absent, .absent]))
    #expect(
      found.map(\.remedy) == [
        "sudo apt-get install speech-dispatcher", "systemctl --user start pulseaudio.socket",
      ]
    )
  }

  @Test(arguments: [
    (MachineFacts.Talk.nobody, Diagnosis.Verdict.wrong, "does not run: nobody listens at"),
    (.silence, .wrong, "does not answer"),
    (packet(0), .wrong, "plays nothing for this user"),
    (packet(7), .wrong, "no sound server"),
    (words("HTTP/1.1 400 Bad Request\r\n"), .wrong, "no sound server"),
    (.answer([]), .wrong, "no sound server"),
    (.refused(.permissionDenied), .wrong, "is closed"),
    (packet(2), .good, "answers"),
  ])
  func `the file of a sound server's socket says nothing, its answer does`(
    talk: MachineFacts.Talk,
    verdict: Diagnosis.Verdict,
    words: String
  ) {
    let named = ["PULSE_SERVER": "{af1}unix:\(Self.pulse) tcp:y"]
    for environment in [Self.home, named] {
      let facts = machine(
        files: [Self.pulse],
        environment: environment,
        units: ["pipewire-pulse.service": Self.well],
        sockets: [Self.pulse: talk]
      )

      let found = SoundCheck(facts: facts, isNeeded: true).diagnoses.last

      #expect(found?.verdict == verdict)
      #expect(found?.words.contains(words) == true, "\(found?.words ?? "")")
      let remedy = "systemctl --user restart pipewire-pulse.service"
      #expect(found?.remedy == (verdict == .wrong ? remedy : nil))
    }
  }

  @Test func `the question is a packet as PulseAudio writes them`() {
    let question = PulseQuestion.bytes

    #expect(question.count == 20 + 276)
    #expect(PulseQuestion.isWhole(question))
    #expect(!PulseQuestion.isWhole(question.dropLast()))
    #expect(!PulseQuestion.isWhole([]))
  }

  @Test(arguments: ["tcp:localhost", "desk.example"])
  func `sound over the network, and PipeWire alone, are not said to be heard`(server: String) {
    let far = machine(environment: ["PULSE_SERVER": server])
    let pipe = machine(files: ["/run/user/1000/pipewire-0"], environment: Self.home)

    for facts in [far, pipe] {
      #expect(SoundCheck(facts: facts, isNeeded: true).diagnoses.last?.verdict == .unchecked)
    }
  }

  @Test func `a voice that runs and is not on the bus has no way to sound`() {
    let facts = machine(units: ["a11y-speech.service": Self.well])

    let silent = ReaderCheck.programs(facts, Self.unheard)
    let heard = ReaderCheck.programs(facts, Self.heard)

    #expect(silent.first?.verdict == .wrong)
    #expect(silent.first?.words.contains("no way to sound") == true)
    #expect(heard.first?.verdict == .good)
  }

  @Test(arguments: [
    (
      VoiceCondition.noSound(reason: "espeak-ng did not begin").sentence, Diagnosis.Verdict.wrong,
      "has no way to sound: espeak-ng did not begin. It tries again by itself, within a minute."
    ),
    (
      VoiceCondition.repairing(reason: "speech-dispatcher has ended").sentence, .wrong,
      "runs, but is repairing the voice: speech-dispatcher has ended."
    ),
    (
      "waiting for the bus at /run/x; speaking with espeak-ng", .wrong,
      "runs, but is waiting for the bus at /run/x; speaking with espeak-ng."
    ),
    ("speaking with espeak-ng, English, at rate 0", .good, "runs: speaking with espeak-ng, "),
  ])
  func `the voice's own condition is told`(
    status: String,
    verdict: Diagnosis.Verdict,
    words: String
  ) {
    let facts = machine(units: ["a11y-speech.service": Self.running(status)])

    // Another reader that speaks does not make it good.
    let found = ReaderCheck.programs(facts, Self.heard).first

    #expect(found?.verdict == verdict)
    #expect(found?.words.hasPrefix("The voice, a11y-speech, \(words)") == true)
  }

  @Test func `a voice without a unit is found, and its last loss is the reason`() {
    let facts = machine(processes: [71])
    var bus = Self.unheard
    bus.loss = { "espeak-ng fell silent" }

    let silent = ReaderCheck.programs(facts, bus).first
    let heard = ReaderCheck.programs(facts, Self.heard).first

    #expect(silent?.verdict == .wrong)
    #expect(
      silent?.words == "The voice, a11y-speech, runs as process 71, and is not on the bus: it has"
        + " no way to sound. It lost its last text because espeak-ng fell silent."
    )
    #expect(heard?.verdict == .good)
  }

  @Test func `a display without braille is a note`() {
    let status = Self.running("no braille display: BRLTTY has none")
    let facts = machine(units: ["a11y-braille.service": status])

    let found = ReaderCheck.programs(facts, Self.heard).last

    #expect(found?.verdict == .note)
    #expect(found?.words.hasSuffix("runs: no braille display: BRLTTY has none.") == true)
  }

  @Test func `a speech-dispatcher without a synthesizer, and one that hangs, are told`() {
    func said(_ talk: MachineFacts.Talk) -> Diagnosis {
      let facts = machine(
        files: [Self.speech],
        environment: Self.home,
        sockets: [Self.speech: talk]
      )
      return SoundCheck(facts: facts, isNeeded: true).diagnoses[0]
    }

    #expect(
      said(Self.words("250-dummy\r\n250 OK\r\n")).words
        == "speech-dispatcher runs, but has no synthesizer."
    )
    #expect(said(.silence).words == "speech-dispatcher does not answer at \(Self.speech).")
    #expect(said(.silence).verdict == .wrong)
    // One that was killed is started by the next voice.
    #expect(said(.nobody).verdict == .note)
    #expect(said(.nobody).words.contains("has left \(Self.speech) behind"))
  }

  // MARK: Files

  @Test func `a mistake in a file of rules is told with the command that shows it`() throws {
    let directory = scratch("a11yd/rules.d")
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try Data("[[rule]]\nname = \"a\"\nburts = 2\n".utf8)
      .write(to: URL(filePath: "\(directory)/bad.toml"))
    let facts = machine(environment: ["XDG_CONFIG_HOME": scratch.path])

    let found = SettingsCheck(facts: facts, bus: nil, program: nil).diagnoses

    #expect(found.first?.verdict == .wrong)
    #expect(found.first?.remedy == "a11yctl rules check \(directory)/bad.toml")
    #expect(found.first?.words.contains("burst") == true)
  }

  @Test(arguments: [
    (-120_000_000, "a11yctl unmute --due"),
    (120_000_000, "systemctl --user enable --now a11yd-unmute.timer"),
  ])
  func `a mute that will not end is told`(distance: Int64, remedy: String) throws {
    let shelf = MuteShelf(directory: scratch("a11yd/rules.d"))
    let end = RecordedEntry.began + distance
    try shelf.put(Mute(app: "org.x", end: end, letsUrgent: false))
    let facts = machine(environment: ["XDG_CONFIG_HOME": scratch.path])

    let found = SettingsCheck(facts: facts, bus: nil, program: nil).diagnoses

    #expect(found.last?.remedy == remedy)
  }

  @Test func `a disk without room and a log that cannot be written are wrong`() throws {
    let stats: JSONValue = ["log": ["degraded": true]]
    var facts = machine()
    facts.room = { _ in 1 << 20 }
    try FileManager.default.createDirectory(
      atPath: scratch("state"),
      withIntermediateDirectories: true
    )

    let found = LogCheck(facts: facts, bus: bus([:], stats), directory: scratch("state")).diagnoses

    #expect(found.map(\.verdict) == [.wrong, .wrong, .note, .good])
    #expect(found[1].words.hasSuffix(" has only 1 MiB left."))
  }

  @Test func `a clock that was never set is told`() {
    var facts = machine(programs: ["timedatectl"])
    facts.now = { 1_000_000 }

    let found = LogCheck(facts: facts, bus: nil, directory: nil).diagnoses

    #expect(found.last?.remedy == "sudo timedatectl set-ntp true")
  }

  @Test func `a clock agrees with no log that cannot be read`() {
    let found = LogCheck(facts: machine(), bus: nil, directory: nil).diagnoses

    #expect(found.map(\.verdict) == [.unchecked, .unchecked])
    #expect(!found.contains { $0.words.contains("agrees with the log.") })
    #expect(Diagnosis.sum(found) == "Nothing was found to be wrong. 2 things could not be checked.")
  }

  @Test func `a configuration that nobody could look at is not said to have no mistake`() {
    let facts = machine(environment: ["XDG_CONFIG_HOME": scratch.path])
    var able = facts
    able.answer = { _, _ in OtherProgram.Answer(status: 0, output: "") }

    for program in [nil, "a11yd"] {
      let found = SettingsCheck(facts: facts, bus: nil, program: program).diagnoses
      #expect(found.map(\.verdict) == [.unchecked])
    }
    let checked = SettingsCheck(facts: able, bus: nil, program: "a11yd").diagnoses
    #expect(checked.map(\.words) == ["Configuration and rules have no mistake."])
  }

  // MARK: The sum

  @Test func `the last line counts what is wrong`() {
    let good = Diagnosis(.bus, .good, "a")
    let wrong = Diagnosis(.bus, .wrong, "b", try: "c")
    let absent = Diagnosis(.sound, .absent, "d")

    let unchecked = Diagnosis(.clock, .unchecked, "e")

    #expect(Diagnosis.sum([good]) == "All is well.")
    #expect(
      Diagnosis.sum([good, unchecked])
        == "Nothing was found to be wrong. 1 thing could not be checked."
    )
    #expect(Diagnosis.sum([wrong, unchecked]) == "1 thing is wrong. 1 thing could not be checked.")
    #expect(Diagnosis.jsonSum([good, unchecked])["well"]?.flag == false)
    #expect(Diagnosis.jsonSum([good])["well"]?.flag == true)
    #expect(Diagnosis.sum([good, wrong]) == "1 thing is wrong.")
    #expect(Diagnosis.sum([wrong, absent]) == "1 thing is wrong.")
    #expect(Diagnosis.sum([good, absent]).hasSuffix("but no voice could be heard here."))
    #expect(Diagnosis.sum([wrong, wrong]) == "2 things are wrong.")
    #expect(
      wrong.json.description == #"{"check":"bus","verdict":"wrong","words":"b","try":"c"}"#
    )
  }
}
