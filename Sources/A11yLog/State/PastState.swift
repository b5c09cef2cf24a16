// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
package import A11yWire

/// The state right after some entry, worked out a slice at a time.
///
/// The entries behind the nearest checkpoint before it are folded once more.
package final class PastState<State: LoggedState> {
  package let seq: Seq
  private let disk: any Disk
  /// Made when it is needed: thousands may wait for their turn.
  private lazy var json = JSONReader(limit: Limits.answerBytes)
  /// The segments that may be needed, oldest first.
  private let segments: [Seq]
  /// Those of them that are in memory alone.
  private let unwritten: [Segment]
  private var step: Step
  /// What has been worked out; nil until the first slice.
  ///
  /// It is changed where it is; a lazy variable would be copied as a whole for each line.
  private var checkpoint: Checkpoint<State>?

  /// The checkpoint to begin with, while it is being read.
  private var base: StateReader<State>?

  private enum Step {
    /// Looking for a state to begin with, beside this segment; those behind it had none.
    case base(Int)
    /// Reading it.
    case reading(Int)
    /// Folding this segment.
    case fold(Int, SegmentCheck)
    case done
  }

  init(at seq: Seq, segments: [Seq], unwritten: [Segment], on disk: any Disk) {
    precondition(!segments.isEmpty, "the entry is in a segment")
    self.seq = seq
    self.disk = disk
    self.segments = segments
    self.unwritten = unwritten
    step = .base(segments.count - 1)
  }

  /// Until then it takes no more room than the names of its segments.
  package var hasBegun: Bool { checkpoint != nil }

  /// Works on by about `budget` bytes; the state when it is done.
  package func advance(budget: Int) -> Checkpoint<State>? {
    if checkpoint == nil { checkpoint = Checkpoint(after: .none) }
    switch step {
    case .base(let index):
      do throws(Errno) {
        base = try StateReader(segments[index], on: disk, with: json)
        step = .reading(index)
      } catch {
        lookBefore(index)
      }
      return nil
    case .reading(let index):
      switch base?.advance(budget: budget) {
      case .more: break
      case .whole(let found) where found.belongs(to: header(index), through: seq):
        base = nil
        checkpoint = found
        fold(index)
      case .whole, .nothing, nil:
        base = nil
        lookBefore(index)
      }
      return nil
    case .fold(let index, let check):
      check.advance(budget: budget) { line, seq in apply(line, seq) }
      if check.isDone { fold(index + 1) }
      return nil
    case .done:
      return checkpoint
    }
  }

  private func lookBefore(_ index: Int) {
    if index > 0 { step = .base(index - 1) } else { fold(0) }
  }

  private func header(_ index: Int) -> SegmentHeader? {
    do throws(Errno) {
      let file = try disk.open(SegmentName.entries(segments[index]))
      return try FoundSegments.header(of: file, with: json)
    } catch {
      return nil
    }
  }

  private func apply(_ line: Span<UInt8>, _ seq: Seq) {
    guard seq <= self.seq else { return }
    checkpoint?.apply(line, seq, with: json)
    guard seq == self.seq else { return }
    // Some of the state may have run out by the time of this entry.
    let json = self.json
    do throws(JSONFault) { try json.read(line) } catch { return }
    if let mono = EntryView(of: json.document).mono { checkpoint?.expire(through: mono) }
  }

  private func fold(_ index: Int) {
    guard index < segments.count else {
      for segment in unwritten {
        segment.eachKept { line, seq in apply(line, seq) }
      }
      step = .done
      return
    }
    do throws(Errno) {
      let file = try disk.open(SegmentName.entries(segments[index]))
      let limit = index + 1 < segments.count ? segments[index + 1] : seq.next
      step = .fold(index, SegmentCheck(file, first: segments[index], before: limit))
    } catch {
      // The state goes on without the segment's entries.
      fold(index + 1)
    }
  }
}

extension EventLog {
  /// Begins to work out the state right after an entry that the log has.
  package func pastState<State: LoggedState>(
    _: State.Type = State.self,
    at seq: Seq
  ) -> PastState<State> {
    let needed = known.filter { $0.first <= max(seq, first) }
    let unwritten = needed.compactMap(\.held).filter { $0.file == nil }
    return PastState(at: seq, segments: needed.map(\.first), unwritten: unwritten, on: disk)
  }
}
