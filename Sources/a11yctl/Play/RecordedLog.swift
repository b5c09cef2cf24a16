// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yLog
import A11yPlay
import A11yPosix
import A11yPresenter
import A11yWire

/// A player of a recorded log.
protocol LogPlayer: AnyObject {
  /// Whether the player lacks the state before an entry.
  func isAtLoss(before seq: Seq) -> Bool
  /// Goes on from the state before the next entry, which the log has beside a segment.
  func resume(from known: RecordedLog.Known)
  /// Plays the next entry; false when that is enough.
  func play(_ line: Span<UInt8>, _ seq: Seq) -> Bool
}

/// A log to be played again: a directory, one file of it, or lines from elsewhere.
struct RecordedLog {
  /// The presenter's state before an entry, from the file beside a segment.
  struct Known {
    let presenter: Presenter
    let after: Seq
    /// Whether it is what the presenter knew then; false where apps were forgotten later.
    let isComplete: Bool

    fileprivate init(_ checkpoint: Checkpoint<BrokerState>) {
      presenter = checkpoint.state.presenter
      after = checkpoint.after
      isComplete = !checkpoint.hasForgotten
    }
  }

  private let log: LogReader

  init(_ log: LogReader) { self.log = log }

  /// Gives every intact entry to a player, in order, until it has enough.
  func feed(_ player: some LogPlayer) throws(Failure) {
    let reader = JSONReader(limit: Limits.answerBytes)
    var hasEntries = false
    for (index, segment) in log.segments.enumerated() {
      var isFirst = true
      var goesOn = true
      let content = try log.scan(index) { line, seq throws(Failure) in
        if isFirst, player.isAtLoss(before: seq), let known = log.state(segment, reader) {
          player.resume(from: Known(known))
        }
        isFirst = false
        hasEntries = true
        goesOn = player.play(line, seq)
        return goesOn
      }
      guard goesOn else { return }
      if let fault = content?.fault {
        let words = "Reading \(log.path)/\(segment.name) failed: \(fault)."
        throw Failure(.inputOutput, words)
      }
    }
    guard hasEntries else {
      throw Failure(.noInput, "There are no entries in \(LogPlace.title(log.path)).")
    }
  }
}

extension LogReader {
  /// The state beside a segment, if the two were written together.
  func state(_ segment: LogSegment, _ reader: JSONReader) -> Checkpoint<BrokerState>? {
    guard mayHaveStates,
      let known = Checkpoint<BrokerState>.read(beside: segment.first, on: disk, with: reader)
    else { return nil }
    // After a power cut a number may stand for two segments.
    guard let own = known.header, let header = segment.header else { return known }
    let isSame = own.epochs == header.epochs && own.boot == header.boot && own.began == header.began
    return isSame ? known : nil
  }
}

/// Plays a log with the rules on record and with others.
final class Trial: LogPlayer {
  private(set) var test: BackTest
  private let rules: WhatIf.Rules
  private let since: Int64
  private var hasBegun = false

  init(_ rules: WhatIf.Rules, since: Int64) {
    self.rules = rules
    self.since = since
    test = BackTest(rules, presenter: nil, after: .none, since: since)
  }

  private func begin(_ presenter: Presenter?, after seq: Seq) {
    test = BackTest(rules, presenter: presenter, after: seq, since: since)
    hasBegun = true
  }

  func isAtLoss(before seq: Seq) -> Bool { !hasBegun && seq > Seq(1) }

  func resume(from known: RecordedLog.Known) { begin(known.presenter, after: known.after) }

  func play(_ line: Span<UInt8>, _ seq: Seq) -> Bool {
    if !hasBegun { begin(nil, after: seq.previous) }
    test.take(line)
    return true
  }

  /// Ends all that the log has left open.
  func finish() { test.finish() }
}
