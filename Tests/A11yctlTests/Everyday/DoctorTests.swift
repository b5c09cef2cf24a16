// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation
import Testing

@testable import A11yClient
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
    talk: String? = nil
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
      talk: { _, _ in talk },
      room: { _ in .max },
      now: { RecordedEntry.began }
    )
  }

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

  @Test func `a voice that is not installed is a note, one that has failed is wrong`() {
    let without = ReaderCheck.programs(machine(), hasReader: true)
    let failed = ReaderCheck.programs(
      machine(units: ["a11y-speech.service": Self.failed]),
      hasReader: true
    )
    let idle = ReaderCheck.programs(
      machine(units: ["a11y-speech.service": Self.off]),
      hasReader: false
    )

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

    let found = ReaderCheck.programs(facts, hasReader: true)

    #expect(found.last?.verdict == .wrong)
    #expect(found.last?.words.contains("\(path):1:") == true)
  }

  // MARK: Sound

  private static let home = ["XDG_RUNTIME_DIR": "/run/user/1000"]
  private static let speech = "/run/user/1000/speech-dispatcher/speechd.sock"

  @Test func `synthesizers are named as speech-dispatcher lists them`() {
    let facts = machine(
      files: [Self.speech, "/run/user/1000/pulse/native"],
      environment: Self.home,
      talk: "208 OK CLIENT NAME SET\r\n250-espeak-ng\r\n250-dummy\r\n250 OK MODULE LIST SENT\r\n"
    )

    let found = SoundCheck(facts: facts, isNeeded: true).diagnoses

    #expect(found.map(\.verdict) == [.good, .good])
    #expect(found.first?.words == "speech-dispatcher answers, with espeak-ng.")
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

  @Test func `a sound server that is named and not there is wrong`() {
    let sockets: [String: Diagnosis.Verdict] = ["unix:/run/p.sock": .note, "unix:/run/q": .wrong]
    for (socket, verdict) in sockets {
      let facts = machine(files: ["/run/p.sock"], environment: ["PULSE_SERVER": socket])

      let found = SoundCheck(facts: facts, isNeeded: true).diagnoses

      #expect(found.last?.verdict == verdict, "\(socket)")
    }
  }

  @Test func `a voice that runs and is not on the bus has no way to sound`() {
    let facts = machine(units: ["a11y-speech.service": Self.well])

    let silent = ReaderCheck.programs(facts, hasReader: false)
    let heard = ReaderCheck.programs(facts, hasReader: true)

    #expect(silent.first?.verdict == .wrong)
    #expect(silent.first?.words.contains("no way to sound") == true)
    #expect(heard.first?.verdict == .good)
  }

  @Test func `a speech-dispatcher without a synthesizer, and one that hangs, are told`() {
    let dumb = machine(
      files: [Self.speech],
      environment: Self.home,
      talk: "250-dummy\r\n250 OK\r\n"
    )
    let hung = machine(files: [Self.speech], environment: Self.home, talk: nil)

    let words = [dumb, hung].map { facts in
      SoundCheck(facts: facts, isNeeded: true).diagnoses[0].words
    }

    #expect(words[0] == "speech-dispatcher runs, but has no synthesizer.")
    #expect(words[1] == "speech-dispatcher does not answer at \(Self.speech).")
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

  // MARK: The sum

  @Test func `the last line counts what is wrong`() {
    let good = Diagnosis(.bus, .good, "a")
    let wrong = Diagnosis(.bus, .wrong, "b", try: "c")
    let absent = Diagnosis(.sound, .absent, "d")

    #expect(Diagnosis.sum([good]) == "All is well.")
    #expect(Diagnosis.sum([good, wrong]) == "1 thing is wrong.")
    #expect(Diagnosis.sum([wrong, absent]) == "1 thing is wrong.")
    #expect(Diagnosis.sum([good, absent]).hasSuffix("but no voice could be heard here."))
    #expect(Diagnosis.sum([wrong, wrong]) == "2 things are wrong.")
    #expect(
      wrong.json.description == #"{"check":"bus","verdict":"wrong","words":"b","try":"c"}"#
    )
  }
}
