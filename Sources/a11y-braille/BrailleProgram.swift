// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBraille
import A11yClient
import A11yCompanion
import A11yPosix
import A11yToml
import Systemd

/// The process around the board: the bus on one side, BRLTTY on the other.
final class BrailleProgram {
  private let shell: Companion<BrailleSettings>
  private let link: BusLink
  private var bus: CompanionLink?
  private let busPath: String
  private var display: DisplayLink?
  private var board: Board
  private var condition = BrailleCondition.connecting
  private var isOnBus = false
  /// The place in the log up to which the bus was listened to.
  private var heard: LogCursor?
  /// The life of the log in which the seqs on the board have their meaning.
  private var epoch: String?

  static let name = "a11y-braille"
  static let settingsName = "braille"
  /// A reader that shows and never speaks.
  private static let rank = 0
  /// The user's actions and moves tell that the user has gone on from the message that is shown.
  private static let types = ["deliver", "cancel", "action", "focus"]

  init(_ options: CompanionOptions) throws {
    shell = try Companion(Self.name, options) {
      LoadedCompanionSettings(name: Self.settingsName, option: $0)
    }
    busPath = options.socket ?? BusPath.reader
    link = try BusLink(
      path: busPath,
      introduction: Introduction(of: Self.name, voice: ReaderVoice(rank: Self.rank)),
      types: Self.types
    )
    board = Board(shell.settings)
    bus = try CompanionLink(link, on: shell.loop) { [unowned self] in serve() }
    try shell.obey(
      // The display goes back to BRLTTY with the end of the connection, so nothing is waited for.
      onStop: { [unowned self] in shell.loop.exit(0) },
      onReload: { [unowned self] settings in
        board.settings = settings
        turn()
      }
    )
  }

  /// Runs until it is told to end, and returns the exit code.
  func runUntilEnd() throws -> Int32 {
    shell.report.manager.ready()
    display = try DisplayLink(on: shell.loop) { [unowned self] in handle($0) }
    serve()
    return try shell.loop.run()
  }

  private var now: Int64 { Int64(clamping: SystemClock.monotonicMicroseconds()) }

  // MARK: Turns

  /// Takes what the bus has sent, and what the time has brought.
  private func serve() {
    if shell.serve(link, follow) { turn() }
  }

  /// Has the display show what is on the board, and sets the alarm.
  private func turn() {
    board.ring(at: now)
    display?.want(board.cells)
    listen()
    tellStatus()
    bus?.setAlarm(for: board.due)
  }

  // MARK: The bus

  /// Listens for as long as there is a display, and goes on behind the last entry, since a text may
  /// have come while the display came back.
  private func listen() {
    let isAble = condition.size != nil
    if isAble, !link.isAble, isOnBus, let heard { link.start = .cursor(heard) }
    link.isAble = isAble
    // The next connection may be one to another log.
    link.start = .now
  }

  private func follow(_ news: BusLink.News) {
    switch news {
    case .connected(let info):
      if let epoch, epoch != info.epoch { board.startOver(at: now) }
      (isOnBus, epoch) = (true, info.epoch)
      heard = info.cursor
    case .entry(let entry):
      heard = epoch.flatMap { LogCursor("\($0):\(entry.seq)") }
      handle(entry)
    case .secret(let of, let kind, let words, _):
      board.receiveSecret(of: of, kind: kind, words, at: now)
    case .away: isOnBus = false
    case .recorded, .unrecorded, .refused: break
    }
  }

  private func handle(_ entry: Entry) {
    switch entry.type {
    case "deliver":
      let age = SystemClock.wallMicroseconds() - entry.time
      if age < Board.shortAbsence, let delivery = entry.delivery {
        board.accept(delivery, at: now)
      }
    case "cancel":
      if let of = entry.integer("of") { board.withdraw(of, at: now) }
    case "action", "focus": board.goOn()
    default: break
    }
  }

  // MARK: The display

  private func handle(_ news: DisplayContents.News) {
    if news.condition != condition {
      condition = news.condition
      board.resize(to: condition.size, at: now)
    }
    board.ring(at: now)
    for key in news.keys { board.press(key, at: now) }
    turn()
  }

  private func tellStatus() {
    let bus = isOnBus ? "" : "waiting for the bus at \(busPath); "
    shell.report.status(bus + condition.sentence)
  }
}

/// From the command line to the running display.
@main
enum Main {
  private static let summary = """
    Shows what the accessibility notification bus delivers on a braille display, through BRLTTY.
    The environment variables BRLAPI_HOST and BRLAPI_AUTH name a BRLTTY other than this machine's.
    """

  static func main() {
    CompanionMain.start(BrailleProgram.name, summary: summary) { options in
      try BrailleProgram(options).runUntilEnd()
    }
  }
}
