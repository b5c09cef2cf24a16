// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yPosix
import A11yWire

/// Makes a page that shows what was heard, and what was not.
struct ReportCommand: Command {
  static let name = "report"
  static let summary = "make a page that shows a day, to be looked at or read"
  static let usage = "[OPTION]... -o FILE | --live"
  static let notes = """
    Makes one file of HTML, without a script and without a word from the network: what each app
    published and how it ended, the reasons, the time to the first word, times of quiet, events an
    hour, the path of the focus, and advice to apps. Behind each figure stands a table. The file is
    for its owner alone, since announcements are private.
    With --live the same page is served on this machine, from the bus as it goes on, and its address
    is printed; only those who have the address can read it. Ctrl-C ends that.
    \(Beginning.notes)
    \(LogPlace.notes)
    """
  static let options =
    Beginning.flags(usually: "\"today\"") + [
      Flag(
        "output",
        "FILE",
        "the page to write; - for standard output; -o too",
        letter: UInt8(ascii: "o")
      ),
      Flag("until", "TIME", "up to this time; now if not given"),
      Flag("force", nil, "replace a file of that name"),
      Flag("live", nil, "serve the page of the bus to a browser here, until Ctrl-C"),
      Flag("socket", "PATH", "with --live, connect to the bus here"),
      LogPlace.flag(saying: "the log, where it is not the usual one: \(LogPlace.forms)"),
    ]
  static let common = Flag.explaining

  private enum Task {
    case file(Recorded)
    case live(socket: String, Beginning)
  }

  /// The part of a log that a file is to show.
  private struct Recorded {
    let log: String
    let file: String
    let beginning: Beginning
    let until: Int64
    let now: Int64
    let replaces: Bool
  }

  private let task: Task

  init(_ words: CommandWords) throws(Failure) {
    try words.refuseOperands()
    let now = SystemClock.wallMicroseconds()
    let beginning = try Beginning(words, now: now)
    guard !words.has("live") else {
      for name in ["output", "until", "force", LogPlace.option] where words.has(name) {
        throw Failure(.usage, "--\(name) does not go with --live, which serves the bus as it is.")
      }
      let socket = try words.socket(for: .operation(.state)).path
      task = .live(socket: socket, beginning)
      return
    }
    guard !words.has("socket") else {
      throw Failure(.usage, "--socket goes with --live; a file is made of the log.")
    }
    let until = try words.moment("until", now: now) ?? now
    let log = try words.log()
    guard let file = words.value("output") else {
      throw Failure(.usage, "The page's file is missing: -o FILE.")
    }
    task = .file(
      Recorded(
        log: log,
        file: file,
        beginning: beginning,
        until: until,
        now: now,
        replaces: words.has("force")
      )
    )
  }

  private static var today: Int64 {
    Moment.parse("today", now: SystemClock.wallMicroseconds()) ?? 0
  }

  func run(_ output: Output) throws(Failure) {
    switch task {
    case .live(let socket, let beginning):
      let since = try beginning.time(MomentSearch(path: socket).time) ?? Self.today
      try LiveReport(of: socket, since: since, output).keepServing()
    case .file(let recorded): try make(recorded, output)
    }
  }

  private func make(_ recorded: Recorded, _ output: Output) throws(Failure) {
    let log = try LogReader(recorded.log, Progress("Read", output))
    let since = try recorded.beginning.time(log.time) ?? Self.today
    guard since < recorded.until else {
      throw Failure(.usage, "--from and --since expect a time before that of --until.")
    }
    var story = DayStory(since: since, until: recorded.until)
    var linting = LogLint(since: since)
    let reader = JSONReader(limit: Limits.answerBytes)
    let failure = try log.readEntries(SeqRange()) { _ in
    } onEntry: { line, _, _ in
      do throws(JSONFault) { try reader.read(line) } catch { return }
      story.trace(reader.document)
      linting.examine(reader.document)
    }
    linting.conclude()
    let page = ReportPage(story: story, advice: linting.report, now: recorded.now).html()
    try save(page.bytes, recorded, output)
    if let failure { throw failure }
  }

  private func save(_ page: Span<UInt8>, _ recorded: Recorded, _ output: Output) throws(Failure) {
    let file = recorded.file
    guard file != "-" else {
      output.printBlock(page)
      return
    }
    let new = try NewFile(file, replacing: recorded.replaces)
    do throws(Failure) {
      let lines = Output(to: try FileSink(new.interim).write)
      lines.printBlock(page)
      try lines.flush()
      try new.giveName()
    } catch {
      new.abandon()
      throw error
    }
    output.line(VisibleText.of("The report is in \(file)."))
  }
}
