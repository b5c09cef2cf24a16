// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yPosix
import A11yWire

/// Makes a page that shows what was heard, and what was not.
struct ReportCommand: Command {
  static let name = "report"
  static let summary = "make a page that shows a day, to be looked at or read"
  static let usage = "[OPTION]... -o FILE"
  static let notes = """
    Makes one file of HTML, without a script and without a word from the network: what each app
    published and how it ended, the reasons, the time to the first word, times of quiet, events an
    hour, the path of the focus, and advice to apps. Behind each figure stands a table. The file is
    for its owner alone, since announcements are private.
    \(Moment.notes)
    \(LogPlace.notes)
    """
  static let options = [
    Flag(
      "output",
      "FILE",
      "the page to write; - for standard output; -o too",
      letter: UInt8(ascii: "o")
    ),
    Flag("since", "TIME", "from this time on; \"today\" if not given"),
    Flag("until", "TIME", "up to this time; now if not given"),
    Flag("force", nil, "replace a file of that name"),
    LogPlace.flag(saying: "the log, where it is not the usual one: \(LogPlace.forms)"),
  ]
  static let common = Flag.explaining

  private let path: String
  private let file: String
  private let since: Int64
  private let until: Int64
  private let now: Int64
  private let replaces: Bool

  init(_ words: CommandWords) throws(Failure) {
    try words.refuseOperands()
    path = try words.log()
    now = SystemClock.wallMicroseconds()
    since = try words.moment("since", now: now) ?? Moment.parse("today", now: now) ?? 0
    until = try words.moment("until", now: now) ?? now
    replaces = words.has("force")
    guard let file = words.value("output") else {
      throw Failure(.usage, "The page's file is missing: -o FILE.")
    }
    self.file = file
    guard since < until else {
      throw Failure(.usage, "--since expects a time before that of --until.")
    }
  }

  func run(_ output: Output) throws(Failure) {
    let log = try LogReader(path, Progress("Read", output))
    var story = DayStory(since: since, until: until)
    var linting = LogLint(since: since)
    let reader = JSONReader(limit: Limits.answerBytes)
    let failure = try log.readEntries(SeqRange()) { _ in
    } onEntry: { line, _, _ in
      do throws(JSONFault) { try reader.read(line) } catch { return }
      story.trace(reader.document)
      linting.examine(reader.document)
    }
    linting.conclude()
    let page = ReportPage(story: story, advice: linting.report, now: now).html()
    try save(page.bytes, output)
    if let failure { throw failure }
  }

  private func save(_ page: Span<UInt8>, _ output: Output) throws(Failure) {
    guard file != "-" else {
      output.printBlock(page)
      return
    }
    let new = try NewFile(file, replacing: replaces)
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
