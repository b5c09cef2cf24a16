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
    the synthesizer, sound, configuration, the log and the clock, a line each. A line about
    something wrong begins with "Wrong" and ends with a command to try, if one is known. It changes
    nothing itself. The last line is "All is well" only where all of it was looked at and found to
    be good; a line about something that could not be checked says so. It ends with 1 when
    something is wrong, else with 0.
    """
  static let options = [
    Flag("json", nil, "print one JSON object for each check, and one for the sum"),
    LogPlace.folderFlag,
  ]

  /// The socket to ask, or why none can be.
  private let socket: Result<String, Failure>
  private let log: String?
  private let isJSON: Bool

  init(_ words: CommandWords) throws(Failure) {
    try words.refuseOperands()
    socket = Self.socket(words)
    log = LogPlace.find(words.value(LogPlace.option), in: Environment.value)
    isJSON = words.has("json")
  }

  /// The socket that tells most, else the one that at least answers.
  private static func socket(_ words: CommandWords) -> Result<String, Failure> {
    do throws(Failure) {
      if let most = try? words.socket(for: .operation(.stats)).path { return .success(most) }
      return .success(try words.socket(for: .operation(.ping)).path)
    } catch {
      return .failure(error)
    }
  }

  func run(_ output: Output) throws(Failure) {
    let diagnoses = diagnoses(MachineFacts())
    for diagnosis in diagnoses {
      output.line(isJSON ? diagnosis.json.description : diagnosis.line)
    }
    output.line(
      isJSON ? Diagnosis.jsonSum(diagnoses).description : Diagnosis.sum(diagnoses)
    )
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
    found += SettingsCheck(facts: facts, bus: bus, program: Self.daemon(facts)).diagnoses
    return found + LogCheck(facts: facts, bus: bus, directory: log).diagnoses
  }

  /// The daemon's program: the one beside this, else the one along `$PATH`.
  private static func daemon(_ facts: MachineFacts) -> String? {
    let beside = OtherProgram.ofThisProcess.flatMap { path in
      path.lastIndex(of: "/").map { path[...$0] + "a11yd" }
    }
    if let beside, facts.isThere(String(beside)) { return String(beside) }
    return facts.isInstalled("a11yd") ? "a11yd" : nil
  }
}
