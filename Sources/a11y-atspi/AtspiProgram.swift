// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yClient
import A11yCompanion
import A11yPosix
import A11yToml
import Systemd

/// A task of the bridge with connections of its own.
protocol AtspiDuty: AnyObject {
  func begin()
  func end()
  func apply(_ settings: AtspiSettings)
  /// The present condition, without a capital letter or a full stop.
  var sentence: String { get }
  /// Whether our bus does not answer.
  var isBusAway: Bool { get }
  /// Events that our bus was away for.
  var lostEvents: Int { get }
  /// Requests that our bus has refused, and the words of the last refusal.
  var refusals: (count: Int, last: String) { get }
  /// Messages that were not as they should be.
  var malformed: Int { get }
  /// Signals that were given up because too much came at once.
  var overrun: Int { get }
}

extension AtspiDuty {
  var overrun: Int { 0 }
}

/// The process around the duties: settings, signals, status.
final class AtspiProgram {
  private let options: CompanionOptions
  private let report = CompanionReport(program: name)
  private let loop: EventLoop
  private let busPath: String
  private var duties: [any AtspiDuty] = []
  private var signals: CompanionSignals?
  private var telling: Timer?
  private var hasStarted = false
  private var toldMalformed = 0
  private var toldOverrun = 0
  private var toldRefusals = 0

  /// A flood of changes is told together.
  private static let betweenWords: UInt64 = 100_000

  static let name = "a11y-atspi"
  static let settingsName = "atspi"
  static let client = "\(name) \(CompanionOptions.version)"

  init(_ options: CompanionOptions) throws {
    self.options = options
    loop = try EventLoop()
    busPath = options.socket ?? BusPath.standard
    signals = try CompanionSignals(
      report.manager,
      on: loop,
      onStop: { [unowned self] in windUp() },
      onReload: { [unowned self] in reload() }
    )
    telling = try Timer(on: .monotonic, priority: .low, on: loop) { [unowned self] in
      tellStatus()
      giveBackMemory()
    }
    let onChange = { [unowned self] in
      telling?.armIfIdle(afterMicroseconds: Self.betweenWords)
      return ()
    }
    if options.value("ears") != nil {
      let setsScreenReader = options.value("screen-reader-enabled") != nil
      duties.append(
        try EarsDuty(
          busPath: busPath,
          setsScreenReader: setsScreenReader,
          isMirroring: options.value("tree") != nil,
          on: loop,
          onChange: onChange
        )
      )
    }
    if options.value("notifications") != nil {
      duties.append(try NotificationDuty(busPath: busPath, on: loop, onChange: onChange))
    }
    if options.value("mouth") != nil {
      duties.append(
        try MouthDuty(
          busPath: options.socket ?? BusPath.reader,
          on: loop,
          onChange: onChange
        )
      )
    }
  }

  /// Runs until it is told to end, and returns the exit code.
  func runUntilEnd() throws(Errno) -> Int32 {
    applySettings(atStart: true)
    report.ready()
    for duty in duties { duty.begin() }
    tellStatus()
    return try loop.run()
  }

  /// Gives the memory of the start back, once: what is needed comes back by itself.
  private func giveBackMemory() {
    guard !hasStarted else { return }
    hasStarted = true
    Machine.forgetStart()
  }

  private func tellStatus() {
    var sentences = duties.map(\.sentence)
    if duties.contains(where: \.isBusAway) { sentences.append("waiting for the bus at \(busPath)") }
    let lost = duties.reduce(0) { $0 + $1.lostEvents }
    if lost > 0 {
      let words = lost == 1 ? "event was" : "events were"
      sentences.append("\(lost) \(words) lost while the bus was away")
    }
    let malformed = duties.reduce(0) { $0 + $1.malformed }
    if malformed > 0 {
      let words = malformed == 1 ? "message was" : "messages were"
      sentences.append("\(malformed) malformed \(words) dropped")
    }
    let overrun = duties.reduce(0) { $0 + $1.overrun }
    if overrun > 0 { sentences.append("ears.overrun: \(overrun) signals in all") }
    report.status(sentences.joined(separator: "; "))
    tellTrouble(malformed: malformed, overrun: overrun)
  }

  private func tellTrouble(malformed: Int, overrun: Int) {
    if malformed > toldMalformed {
      let reason = "\(malformed - toldMalformed) of them"
      report.say(
        .warning,
        "Malformed messages of programs are dropped: \(reason).",
        AtspiMessage.malformed.id,
        reason: reason
      )
    }
    if overrun > toldOverrun {
      let reason = "\(overrun - toldOverrun) signals"
      report.say(
        .warning,
        "Too much came at once, and some of it is not told (ears.overrun): \(reason).",
        AtspiMessage.earsOverrun.id,
        reason: reason
      )
    }
    let refusals = duties.map(\.refusals)
    let refused = refusals.reduce(0) { $0 + $1.count }
    if refused > toldRefusals {
      let words = refusals.map(\.last).filter { !$0.isEmpty }.joined(separator: "; ")
      report.say(.warning, "The bus has refused an event: \(words).")
    }
    toldRefusals = refused
    (toldMalformed, toldOverrun) = (malformed, overrun)
  }

  /// Reads the settings and hands them on; later than at the start only where all are good.
  private func applySettings(atStart isStart: Bool) {
    let loaded = LoadedCompanionSettings<AtspiSettings>(
      name: Self.settingsName,
      option: options.configuration
    )
    report.mistakes(loaded.complaints, atStart: isStart, AtspiMessage.settingsMistaken.id)
    guard isStart || loaded.complaints.isEmpty else { return }
    for duty in duties { duty.apply(loaded.settings) }
    if !isStart { report.say(.info, "The settings were read again.") }
  }

  private func reload() {
    report.reloading()
    applySettings(atStart: false)
    report.ready()
  }

  private func windUp() {
    report.stopping()
    for duty in duties { duty.end() }
    loop.exit(0)
  }
}
