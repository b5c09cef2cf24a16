// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yPosix
import A11yWire

/// Makes a page that shows what was heard, and what was not.
struct ReportCommand: Command {
  static let name = "report"
  static let summary = "make a page that shows a day, to be looked at or read"
  static let usage = "[OPTION]... -o FILE\n[OPTION]... --live"
  static let notes = """
    Makes one file of HTML, without a script and without a word from the network: what each app
    published and how it ended, the reasons, the time to the first word, times of quiet, events an
    hour, the path of the focus, and advice to apps. Behind each figure stands a table. The file is
    for its owner alone, since announcements are private.
    With --live the same page is served on this machine, from the bus as it goes on, and its address
    is printed; only those who have the address can read it. Ctrl-C ends that.
    \(Beginning.notes)
    \(ReadingOptions.placeNotes)
    \(LogPlace.notes)
    """

  @Operands(atMost: 1) private var words: [String]
  @Option(
    "output",
    "FILE",
    "the page to write; - for standard output; -o too",
    letter: UInt8(ascii: "o")
  )
  private var file: String?
  @Option("until", "TIME", "up to this time; now if not given", as: .moment)
  private var until: Int64?
  @Flag("force", "replace a file of that name") private var replaces: Bool
  @Flag("live", "serve the page of the bus to a browser here, until Ctrl-C")
  private var isLive: Bool
  private let bus = BusSocket("with --live, connect to the bus here")
  private let reading = ReadingOptions(usually: "\"today\"", takesWord: false)

  private static var today: Int64 {
    Moment.parse("today", now: SystemClock.wallMicroseconds()) ?? 0
  }

  func run(_ output: Output) throws(Failure) {
    if isLive { try serve(output) } else { try make(output) }
  }

  private func serve(_ output: Output) throws(Failure) {
    let others = [
      ("output", file != nil), ("until", until != nil), ("force", replaces),
      ("log", reading.isOfLog), ("from ADDRESS", reading.engine != nil),
    ]
    for (name, isGiven) in others where isGiven {
      throw Failure(.usage, "--\(name) does not go with --live, which serves the bus as it is.")
    }
    try words.refuse(behind: 0)
    let path = try bus(for: .operation(.state))
    let since = try reading.beginning.time(MomentSearch(path: path).time) ?? Self.today
    try LiveReport(of: path, since: since, output).keepServing()
  }

  private func make(_ output: Output) throws(Failure) {
    let now = SystemClock.wallMicroseconds()
    guard bus.path == nil else {
      throw Failure(.usage, "--socket goes with --live; a file is made of the log.")
    }
    guard let file else { throw Failure(.usage, "The page's file is missing: -o FILE.") }
    // The whole log, since quiet and focus rest on what was before.
    let log = try reading.log(words, isWhole: true, Progress("Read", output))
    let since = try reading.beginning.time(log.time) ?? Self.today
    let until = until ?? now
    guard since < until else {
      throw Failure(.usage, "--from and --since expect a time before that of --until.")
    }
    var story = DayStory(since: since, until: until)
    var linting = LogLint(since: since)
    let failure = try log.eachDocument { entry, _ in
      story.trace(entry)
      linting.examine(entry)
    }
    linting.conclude()
    let page = ReportPage(story: story, advice: linting.report, now: now).html()
    try save(page.bytes, to: file, output)
    if let failure { throw failure }
  }

  private func save(_ page: Span<UInt8>, to file: String, _ output: Output) throws(Failure) {
    guard file != "-" else { return output.printBlock(page) }
    try NewFile.write(file, replacing: replaces) { interim throws(Failure) in
      let lines = Output(to: try FileSink(interim).write)
      lines.printBlock(page)
      try lines.flush()
    }
    output.line("The report is in \(file).".visible)
  }
}
