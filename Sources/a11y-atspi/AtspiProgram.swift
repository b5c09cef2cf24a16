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
  private let shell: Companion<AtspiSettings>
  private let busPath: String
  private var duties: [any AtspiDuty] = []
  private var telling: Timer?
  private var hasStarted = false
  private var toldMalformed = 0
  private var toldOverrun = 0
  private var toldLost = 0
  private var toldRefusals = 0

  /// A flood of changes is told together.
  private static let betweenWords: UInt64 = 100_000

  static let name = "a11y-atspi"
  static let settingsName = "atspi"

  init(_ options: CompanionOptions) throws {
    shell = try Companion(Self.name, options, mistaken: AtspiMessage.settingsMistaken.id) {
      LoadedCompanionSettings(name: Self.settingsName, option: $0)
    }
    busPath = options.socket ?? BusPath.standard
    try shell.obey(
      onStop: { [unowned self] in
        for duty in duties { duty.end() }
        shell.loop.exit(0)
      },
      onReload: { [unowned self] settings in for duty in duties { duty.apply(settings) } }
    )
    telling = try Timer(on: .monotonic, priority: .low, on: shell.loop) { [unowned self] in
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
          on: shell.loop,
          onChange: onChange
        )
      )
    }
    if options.value("notifications") != nil {
      duties.append(try NotificationDuty(busPath: busPath, on: shell.loop, onChange: onChange))
    }
    if options.value("mouth") != nil {
      duties.append(
        try MouthDuty(
          busPath: options.socket ?? BusPath.reader,
          on: shell.loop,
          onChange: onChange
        )
      )
    }
  }

  /// Runs until it is told to end, and returns the exit code.
  func runUntilEnd() throws(Errno) -> Int32 {
    for duty in duties { duty.apply(shell.settings) }
    shell.report.manager.ready()
    for duty in duties { duty.begin() }
    tellStatus()
    return try shell.loop.run()
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
      sentences.append("\(lost) \(words) lost, since the bus was away or too slow")
    }
    let malformed = duties.reduce(0) { $0 + $1.malformed }
    if malformed > 0 {
      let words = malformed == 1 ? "message was" : "messages were"
      sentences.append("\(malformed) malformed \(words) dropped")
    }
    let overrun = duties.reduce(0) { $0 + $1.overrun }
    if overrun > 0 { sentences.append("ears.overrun: \(overrun) signals in all") }
    shell.report.status(sentences.joined(separator: "; "))
    tellTrouble(malformed: malformed, overrun: overrun, lost: lost)
  }

  private func tellTrouble(malformed: Int, overrun: Int, lost: Int) {
    let troubles: [(more: Int, unit: String, words: String, message: AtspiMessage)] = [
      (
        malformed - toldMalformed,
        "of them",
        "Malformed messages of programs are dropped",
        .malformed
      ),
      (
        overrun - toldOverrun,
        "signals",
        "Too much came at once, and some of it is not told (ears.overrun)",
        .earsOverrun
      ),
      (lost - toldLost, "of them", "Events were lost, since the bus was away or too slow", .lost),
    ]
    for trouble in troubles where trouble.more > 0 {
      let reason = "\(trouble.more) \(trouble.unit)"
      shell.report.say(.warning, "\(trouble.words): \(reason).", trouble.message.id, reason: reason)
    }
    let refusals = duties.map(\.refusals)
    let refused = refusals.reduce(0) { $0 + $1.count }
    if refused > toldRefusals {
      let words = refusals.map(\.last).filter { !$0.isEmpty }.joined(separator: "; ")
      shell.report.say(.warning, "The bus has refused an event: \(words).")
    }
    toldRefusals = refused
    (toldMalformed, toldOverrun, toldLost) = (malformed, overrun, lost)
  }
}

/// From the command line to the running bridge.
@main
enum Main {
  private static let summary = """
    Brings the notifications of the desktop to the accessibility notification bus, and what programs
    say through AT-SPI; and has the screen reader Orca speak what the bus decides.
    """

  static func main() {
    CompanionMain.start(
      AtspiProgram.name,
      summary: summary,
      extras: [
        .init("ears", nil, "hear programs through AT-SPI"),
        .init(
          "screen-reader-enabled",
          nil,
          "tell programs that a screen reader runs; not beside Orca"
        ),
        .init("tree", "WHICH", "mirror the elements of a window: active"),
        .init("notifications", nil, "hear the notifications of the desktop"),
        .init("mouth", nil, "speak through the Orca that runs, where one does"),
      ]
    ) { options in
      guard ["ears", "notifications", "mouth"].contains(where: { options.value($0) != nil }) else {
        throw CommandLineOptions.Mistake(words: "--ears, --notifications or --mouth is expected")
      }
      if options.value("mouth") != nil, options.value("screen-reader-enabled") != nil {
        throw CommandLineOptions.Mistake(
          words: "--screen-reader-enabled would start a second voice beside --mouth"
        )
      }
      if let tree = options.value("tree"), tree != "active" || options.value("ears") == nil {
        throw CommandLineOptions.Mistake(words: "--tree is expected as --ears --tree active")
      }
      return try AtspiProgram(options).runUntilEnd()
    }
  }
}
