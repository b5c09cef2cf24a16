// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire

/// Checks the way from the bus to the ear, and says what is wrong and how it is mended.
struct DoctorCommand: Command {
  static let name = "doctor"
  static let summary = "check bus, voice and sound, and tell how to mend what is wrong"
  static let usage = "[OPTION]..."
  static let notes = """
    Checks, one after the other, the bus, its unit and your rights, the screen reader, the voice,
    the synthesizer, sound, the door, configuration, the log and the clock, a line each. A line
    about something wrong begins with "Wrong" and ends with a command to try, if one is known. It
    changes nothing itself. The last line is "All is well" only where all of it was looked at and
    found to be good; a line about something that could not be checked says so. It ends with 1 when
    something is wrong, else with 0.
    """

  @Flag("json", "print one JSON object for each check, and one for the sum")
  private var isJSON: Bool
  private let log = LogFolder()
  private let bus = BusSocket()

  /// The socket that tells most, else the one that at least answers, or why none can be asked.
  private var socket: Result<String, Failure> {
    do throws(Failure) {
      if let most = try? bus(for: .operation(.stats)) { return .success(most) }
      return .success(try bus(for: .operation(.ping)))
    } catch {
      return .failure(error)
    }
  }

  func run(_ output: Output) throws(Failure) {
    let diagnoses = diagnoses(MachineFacts())
    output.lines(diagnoses.map { isJSON ? $0.json.description : $0.line })
    output.line(isJSON ? Diagnosis.jsonSum(diagnoses).description : Diagnosis.sum(diagnoses))
    try output.flush()
    if diagnoses.contains(where: { $0.verdict == .wrong }) { throw Failure(.found, nil) }
  }

  func diagnoses(_ facts: MachineFacts) -> [Diagnosis] {
    var found: [Diagnosis] = []
    var bus: BusCheck.Bus?
    var voice = ReaderCheck.VoiceOnBus()
    switch socket {
    case .failure(let failure): found.append(Diagnosis(.bus, .wrong, failure.words ?? ""))
    case .success(let path):
      let check = BusCheck(path: path, facts)
      bus = check.bus
      found += check.diagnoses
      voice.loss = { check.lastLoss(of: SetupPart.voice.program) }
    }
    if let bus {
      found += ReaderCheck.connected(bus, facts)
      voice.isListening = ReaderCheck.isListening(SetupPart.voice.program, to: bus)
    }
    voice.hasReader = found.contains { $0.check == .reader && $0.verdict == .good }
    found += ReaderCheck.programs(facts, voice)
    let program = SetupPart.voice.program
    let hasVoice =
      facts.units.has(SetupPart.voice.unit, of: .user) || !facts.processes(program).isEmpty
    found += SoundCheck(facts: facts, isNeeded: hasVoice).diagnoses
    found += DoorCheck(facts: facts).diagnoses
    found += SettingsCheck(facts: facts, bus: bus, program: Self.daemon(facts)).diagnoses
    let directory = LogPlace.find(log.named, in: Environment.value)
    return found + LogCheck(facts: facts, bus: bus, directory: directory).diagnoses
  }

  /// The daemon's program: the one beside this, else the one along `$PATH`.
  private static func daemon(_ facts: MachineFacts) -> String? {
    if let beside = OtherProgram.beside("a11yd"), facts.isThere(beside) { return beside }
    return facts.isInstalled("a11yd") ? "a11yd" : nil
  }
}

/// The result of one check of the doctor.
struct Diagnosis: Equatable {
  enum Verdict: String {
    case good
    /// Worth knowing, and nothing wrong.
    case note
    /// Not there, and nothing that is switched on needs it; yet nobody could hear a voice.
    case absent
    /// It may be good or wrong: there was no way to find out.
    case unchecked
    case wrong
  }

  /// The subject, in the order of the checks.
  enum Check: String {
    case bus, unit, rights, reader, voice, synthesizer, sound, door, configuration, mutes, log
    case clock
  }

  let check: Check
  let verdict: Verdict
  /// A sentence, or several.
  let words: String
  /// The command that mends it.
  let remedy: String?

  init(_ check: Check, _ verdict: Verdict, _ words: String, try remedy: String? = nil) {
    self.check = check
    self.verdict = verdict
    self.words = VisibleText.of(words)
    self.remedy = remedy.map(VisibleText.of)
  }

  /// One line that reads well aloud; the command stands at the end, where it can be copied.
  var line: String {
    let lead = verdict == .wrong ? "Wrong: " : ""
    return lead + words + (remedy.map { " Try: \($0)" } ?? "")
  }

  var json: JSONValue {
    [
      "check": .string(check.rawValue), "verdict": .string(verdict.rawValue),
      "words": .string(words), "try": remedy.map(JSONValue.string) ?? .null,
    ]
  }

  /// The last line about all checks: all is well only where all was looked at.
  static func sum(_ diagnoses: [Diagnosis]) -> String {
    func tally(_ verdict: Verdict) -> Int { diagnoses.count { $0.verdict == verdict } }
    let unchecked = tally(.unchecked).counted("thing")
    let rest = tally(.unchecked) == 0 ? "" : " \(unchecked) could not be checked."
    switch tally(.wrong) {
    case 0 where tally(.absent) > 0:
      return "Nothing that is switched on is wrong, but no voice could be heard here.\(rest)"
    case 0 where !rest.isEmpty: return "Nothing was found to be wrong.\(rest)"
    case 0: return allWell
    case 1: return "1 thing is wrong.\(rest)"
    case let count: return "\(count) things are wrong.\(rest)"
    }
  }

  private static let allWell = "All is well."

  static func jsonSum(_ diagnoses: [Diagnosis]) -> JSONValue {
    let words = sum(diagnoses)
    func tally(_ verdict: Verdict) -> JSONValue {
      .integer(Int64(diagnoses.count { $0.verdict == verdict }))
    }
    return [
      "well": .flag(words == allWell), "wrong": tally(.wrong), "unchecked": tally(.unchecked),
      "words": .string(words),
    ]
  }
}
