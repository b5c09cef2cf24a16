// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCompanion
import A11yForward
import A11yPosix

/// The options with which the program reads from an engine.
struct ReadOptions {
  let engine: EngineAddress?
  /// The machine whose entries are wanted; nil for all.
  let machine: MachineName?
  let start: ArchiveStart
  let wantsNewest: Bool
  let wantsSigns: Bool
  let follows: Bool

  static let extras: [CompanionOptions.Extra] = [
    .init("read", "NAME", "print what an engine has of this machine, or of all: '*'"),
    .init("from", "ADDRESS", "the engine to read; that of the settings, if not given"),
    .init("newest", nil, "print the newest entry of each machine, with --read '*'"),
    .init("alive", nil, "print the last sign of life of each machine, with --read '*'"),
    .init("last", "N", "begin with the last so many entries of the machine"),
    .init("since-seq", "SEQ", "begin with this entry of the newest life of the log"),
    .init("since", "MICROSECONDS", "begin with what came since then, counted from 1970"),
    .init("follow", nil, "go on with what comes, of one machine"),
  ]

  /// Nil where nothing is to be read.
  init?(_ options: CompanionOptions) throws(CommandLineOptions.Mistake) {
    guard let name = options.value("read") else {
      for extra in Self.extras where options.value(extra.name) != nil {
        throw .init(words: "--\(extra.name) is for --read")
      }
      return nil
    }
    machine = MachineName(name)
    if machine == nil, name != "*" { throw .init(words: "--read: \(MachineName.expectation)") }
    do throws(EngineAddress.Mistake) {
      engine = try options.value("from").map { text throws(EngineAddress.Mistake) in
        try EngineAddress(text)
      }
    } catch {
      throw .init(words: "--from: \(error.words)")
    }
    let seq = try Self.wholeNumber("since-seq", options)
    let time = try Self.wholeNumber("since", options)
    let last = try Self.wholeNumber("last", options)
    if [seq, time, last].count(where: { $0 != nil }) > 1 {
      throw .init(words: "--last, --since and --since-seq exclude each other")
    }
    start = seq.map { .seq($0) } ?? time.map { .time($0) } ?? last.map { .last($0) } ?? .beginning
    wantsNewest = options.value("newest") != nil
    wantsSigns = options.value("alive") != nil
    follows = options.value("follow") != nil
    if follows, machine == nil { throw .init(words: "--follow expects one machine") }
    if wantsNewest, machine != nil { throw .init(words: "--newest expects --read '*'") }
    if wantsSigns, machine != nil { throw .init(words: "--alive expects --read '*'") }
    if wantsNewest, wantsSigns { throw .init(words: "--newest and --alive exclude each other") }
    if seq ?? last != nil, machine == nil {
      throw .init(words: "--last and --since-seq expect one machine")
    }
  }

  private static func wholeNumber(
    _ name: String,
    _ options: CompanionOptions
  ) throws(CommandLineOptions.Mistake) -> Int64? {
    guard let text = options.value(name) else { return nil }
    guard let number = Int64(text), number >= 0 else {
      throw .init(words: "--\(name): expected a number; got \(text)")
    }
    return number
  }
}
