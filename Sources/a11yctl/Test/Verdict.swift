// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPlay
import A11yPosix
import A11yWire

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
    return Envelope(of: reader.document).mono
  }

  /// An event, and the reason why it was not heard.
  private static func sentence(_ answer: JSONValue) -> String {
    let reason = answer["sentence"]?.string ?? "The bus has said nothing about it."
    guard let entry = ExplainWords.entry(of: answer) else { return reason }
    return VisibleText.of("Entry \(entry.seq), \(EntryWords.sentence(entry)): \(reason)")
  }
}
