// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
package import A11yWire

// When checkpoints are written.
//
// Beside each segment stands the state at its beginning; from there on a start would have a whole
// segment to apply anew. So the state is written again and again within the segment that is
// appended to. A start goes on from the newest checkpoint that the entries bear out.
extension EventLog {
  // MARK: Beside a segment

  /// Begins to write the state as it is now, behind the last entry.
  package func beginState(_ source: borrowing some StateSource & ~Copyable) {
    wantsState = false
    guard active.file != nil, let header = active.header else { return }
    stateEnd = active.end
    stateWriter = StateWriter(source, beside: header, after: last, on: disk)
  }

  package var isWritingState: Bool { stateWriter != nil }

  /// The whole state is written, and the medium has not confirmed it yet.
  package var isStateOut: Bool { stateWriter?.isWhole ?? false }

  /// The state is written beside the newest segment, or is not going to be.
  package var isStateSettled: Bool { !isWritingState && (!wantsState || trouble != nil) }

  /// Writes the next slice, or asks whether the medium has the file; a file that the disk does not
  /// take is given up, for a start can do without it.
  package func advanceState(budget: Int) {
    guard let writer = stateWriter else { return }
    do throws(Errno) {
      if !writer.isWhole {
        guard try writer.advance(budget: budget), let file = writer.file else { return }
        stateWeight = writer.offset
        guard syncing.bring(file) else { return finishState() }
      }
      // Answers for files that were given up come first.
      while let (file, result) = syncing.brought() {
        guard file === writer.file else { continue }
        try result.get()
        try writer.finish()
        usage.setSize(ofState: active.first, writer.offset)
        stateWriter = nil
      }
    } catch {
      abandonState()
    }
  }

  /// Writes the rest, and waits for the medium.
  package func finishState() {
    guard let writer = stateWriter else { return }
    do throws(Errno) {
      try writer.finishAtOnce()
      stateWeight = writer.offset
      usage.setSize(ofState: active.first, writer.offset)
      stateWriter = nil
    } catch {
      abandonState()
    }
  }

  /// Asks for the state once more.
  func requestState() {
    abandonState()
    wantsState = true
  }

  private func abandonState() {
    latest.abandon()
    stateWriter?.abandon()
    stateWriter = nil
  }

  // MARK: Within the segment that is appended to

  /// A start applies one of so many parts of a segment: 1 MiB, or a few thousand entries, which
  /// take about five milliseconds.
  private static let parts: Int64 = 16
  /// A state is written again when the log has grown by so many times its size: before that,
  /// applying the entries costs no more than reading the state.
  private static let worth: Int64 = 2

  /// Enough was appended for another checkpoint.
  package var wantsLatest: Bool {
    // Nearly always it is too little, so that is asked first.
    active.end - stateEnd >= max(policy.segmentBytes / Self.parts, Self.worth * stateWeight)
      && trouble == nil && !isHeavy(stateWeight) && active.file != nil && !wantsState
      && !isWritingState && !isWritingLatest
  }

  package var isWritingLatest: Bool { latest.isWriting }

  /// Begins to write the state as it is now, behind the last entry.
  package func beginLatest(_ source: borrowing some StateSource & ~Copyable) {
    guard let header = active.header else { return }
    stateEnd = active.end
    latest.begin(source, within: header, after: last)
  }

  /// Writes the next slice; the medium may get it later, since a file tells whether it is whole.
  package func advanceLatest(budget: Int) {
    guard let weight = latest.advance(budget: budget) else { return }
    stateWeight = weight
    usage.measureLatest(in: disk)
  }
}
