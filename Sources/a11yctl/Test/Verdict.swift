// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPlay
import A11yPosix
import A11yWire
import Glibc

/// The words of a program on a private bus, and their ends, by the log of that bus.
struct Verdict {
  /// The texts and sounds that were heard.
  let hearing: Hearing
  /// When the reader was there, on the bus clock: the program began right then.
  let start: Int64
  /// The events that were not heard, or not to their end, with the reasons.
  let unheard: [String]
  /// Further events that were not heard.
  let furtherUnheard: Int
  let advice: AdviceReport
  let run: ProgramRun.End
  let program: String

  /// The most events that were not heard and are explained.
  private static let explained = 100
  /// The most texts that are compared; a program that says more is no case for a test.
  static let mostTexts = 10_000

  /// Reads the log of a run, which is whole.
  init(_ log: String, after run: ProgramRun.End, of program: String) throws(Failure) {
    self.run = run
    self.program = program
    let reader = try LogReader(log, Progress("Read", clock: { 0 }, onProgress: nil))
    var (hearing, lint, start) = (Hearing(), LogLint(), Int64?.none)
    let failure = try reader.readEntries(SeqRange()) { _ in
    } onEntry: { line, _, _ in
      hearing.heed(line)
      lint.examine(line, at: nil)
      if start == nil, line.firstIndex(of: "\"state\":\"listening\"") != nil {
        start = Self.mono(of: line)
      }
    }
    if let failure { throw failure }
    lint.conclude()
    self.hearing = hearing
    self.start = start ?? 0
    advice = lint.report

    let source = reader
    let all = try source.unheard(app: nil, atMost: Self.mostTexts)
    let seqs = all.prefix(Self.explained)
    var sentences: [String] = []
    for seq in seqs {
      let answer = try source.explain(seq)
      if WhyCommand.isWorthTelling(answer) { sentences.append(Self.sentence(answer)) }
    }
    unheard = sentences
    furtherUnheard = all.count - seqs.count
  }

  /// Writes the entries that count to a file of their own, and at the virtual pace those that would
  /// have followed.
  static func transfer(
    _ log: String,
    through last: Seq,
    pace: ProgramRun.Pace,
    to path: String
  ) throws(Failure) {
    let lines = Output(to: try FileSink(path).write)
    let reader = try LogReader(log, Progress("Read", clock: { 0 }, onProgress: nil))
    var epilogue = Epilogue()
    let failure = try reader.readEntries(SeqRange(to: last)) { _ in
    } onEntry: { line, _, _ throws(Failure) in
      epilogue.follow(line)
      lines.line(line)
      try lines.check()
    }
    if let failure { throw failure }
    if pace == .virtual, !epilogue.runOn({ lines.line($0) }) {
      let words =
        "The log of the test does not follow from its events, which is a mistake in a11yd."
      throw Failure(.inputOutput, words)
    }
    try lines.flush()
  }

  /// The texts that a file of expected texts is about.
  var texts: [String] { hearing.utterances.map(\.text).filter { !$0.isEmpty } }

  private static func mono(of line: Span<UInt8>) -> Int64? {
    let reader = JSONReader(limit: Limits.answerBytes)
    do throws(JSONFault) { try reader.read(line) } catch { return nil }
    return EntryView(of: reader.document).mono
  }

  /// An event, and the reason why it was not heard.
  private static func sentence(_ answer: JSONValue) -> String {
    let reason = answer["sentence"]?.string ?? "The bus has said nothing about it."
    guard let entry = ExplainWords.entry(of: answer) else { return reason }
    return VisibleText.of("Entry \(entry.seq), \(EntryWords.sentence(entry)): \(reason)")
  }
}

/// A file of expected texts.
struct Expectation {
  let path: String
  let expected: ExpectedTexts
  private let isThere: Bool

  /// The most bytes and lines of such a file.
  private static let mostBytes = 4 << 20
  private static let mostLines = Verdict.mostTexts

  /// Reads the file; one that is to be written need not be there.
  init(_ path: String, isOptional: Bool) throws(Failure) {
    self.path = path
    let bytes: [UInt8]
    do throws(File.Unreadable) {
      bytes = try File.read(path, limit: Self.mostBytes)
      isThere = true
    } catch .refused(.noSuchFile) where isOptional {
      bytes = []
      isThere = false
    } catch .refused(.noSuchFile) {
      throw Failure(.noInput, "\(path) is not there. With --update, it is written.")
    } catch {
      throw Failure(.noInput, "\(path): \(error).")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.noInput, "\(path) is no text in UTF-8.")
    }
    // Some editors put a mark in front, which nobody hears.
    expected = ExpectedTexts(text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text)
    guard expected.lines.count <= Self.mostLines else {
      throw Failure(.noInput, "\(path) has more than \(Self.mostLines) texts.")
    }
  }

  /// The differences, each with its place in the file.
  func findings(
    _ comparison: TextComparison,
    _ texts: [String],
    _ times: [String]
  )
    -> [(name: String, finding: CheckFinding?)]
  {
    var last = 0
    return comparison.steps.map { step in
      switch step {
      case .expected(let line, _), .anything(let line, _):
        last = expected.lines[line].number
        return ("line \(last), \(expected.lines[line].text)", nil)
      case .missing(let line):
        last = expected.lines[line].number
        let words = "Line \(last) was not heard: \(expected.lines[line].text)"
        let finding = CheckFinding(.error, "text.missing", at: position(last), words)
        return ("line \(last), \(expected.lines[line].text)", finding)
      case .unexpected(let text):
        let behind = last == 0 ? "before the first line" : "behind line \(last)"
        let words = "Not expected \(behind), after \(times[text]): \(texts[text])"
        let finding = CheckFinding(.error, "text.unexpected", at: position(max(1, last)), words)
        return ("not expected, \(texts[text])", finding)
      }
    }
  }

  private func position(_ line: Int) -> CheckFinding.Place { .init(file: path, line: line) }

  /// Writes the file anew where it is not right; true where it was written.
  func renew(_ comparison: TextComparison) throws(Failure) -> Bool {
    if isThere, comparison.isEqual { return false }
    let draft = "\(path).\(getpid()).unfinished"
    do throws(Errno) {
      do throws(Errno) {
        // As the file will be read by others, it has the rights that the user's files have.
        let file = try FileDescriptor.open(draft, [.writeOnly, .create, .truncate], mode: 0o666)
        try file.writeAll(Array(comparison.renewed.utf8).span)
        try file.synchronize()
        try File.rename(draft, to: path)
      } catch {
        try? File.unlink(draft)
        throw error
      }
    } catch {
      throw Failure(.inputOutput, "Writing \(path) failed: \(error).")
    }
    return true
  }
}
