// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import A11yWire

extension EventLog {
  /// Ends the segment that is appended to, and waits until the medium has the closed ones: lines of
  /// theirs that are kept in case the disk fails would bring forgotten entries back.
  package func prepareForgetting(mono: Int64) -> SyncNews {
    guard trouble == nil else { return .nothing }
    if active.state.count > 0 { roll(mono: mono) }
    return secure(mono: mono)
  }

  /// Begins to forget; nil where the disk takes nothing, or has just failed.
  ///
  /// The caller has called `prepareForgetting`, forgets in its own state, and has that written anew
  /// before the first step.
  package func beginForgetting<State: LoggedState>(
    _ selection: Selection,
    in _: State.Type
  ) -> Forgetting<State>? {
    guard trouble == nil, !hasUnsynced, active.state.count == 0, let header = active.header
    else { return nil }
    latest.abandon()
    do throws(Errno) { try StateFile.removeLatest(on: disk) } catch { return nil }
    usage.measureLatest(in: disk)
    usage.removeState(active.first, from: disk)
    guard usage.states[active.first] == nil else { return nil }
    requestState()
    let closed = known.dropLast()
    return Forgetting(
      selection,
      in: closed.indices.map { (known[$0].first, known[$0 + 1].first) },
      on: disk,
      fallback: header
    )
  }

  /// The entries that were forgotten while no bus ran, of which the log does not tell yet.
  package var forgottenNote: [ForgottenNote.Run] { (try? ForgottenNote.runs(on: disk)) ?? [] }

  /// Drops the note of them, when the medium has the entries that tell.
  ///
  /// A note that stays is told once more by the next bus, which says nothing wrong.
  package func dropForgottenNote(mono: Int64) -> SyncNews {
    let news = secure(mono: mono)
    if trouble == nil, !hasUnsynced { try? ForgottenNote.drop(on: disk) }
    return news
  }

  /// Waits until the medium has the checkpoint beside the newest segment: when the earlier ones are
  /// gone, it alone tells which values to withhold.
  package func secureState() throws(Errno) {
    do throws(Errno) {
      try StateFile.secure(active.first, on: disk)
    } catch .noSuchFile {
      // The checkpoint could not be written.
    }
  }

  /// Adopts the segments that a step has replaced; true if there are such.
  package func adoptChanges(of forgetting: Forgetting<some LoggedState>) -> Bool {
    let changed = forgetting.takeChanged()
    for first in changed {
      guard let index = known.firstIndex(where: { $0.first == first }) else { continue }
      known[index].extents = nil
      known[index].open = nil
      if let entry = try? disk.measure(SegmentName.entries(first)) {
        known[index].size = entry.size
      }
      usage.setSize(ofState: first, try? disk.measure(SegmentName.state(first)).size)
    }
    return !changed.isEmpty
  }

  /// Whether the log has a segment of this name, be its file replaced by now.
  package func hasSegment(from first: Seq) -> Bool { known.contains { $0.first == first } }
}
