// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import A11yWire

extension EventLog {
  /// Ends the segment that is appended to, and waits until the medium has those that are closed: what
  /// is kept of them for the case that it fails would bring back what is forgotten.
  package func prepareForgetting(mono: Int64) -> SyncNews {
    guard trouble == nil else { return .nothing }
    if active.state.count > 0 { roll(mono: mono) }
    return secure(mono: mono)
  }

  /// Begins to forget; nil where the disk takes nothing, or has just failed.
  ///
  /// Whoever calls has prepared for it, forgets what it knows itself, and has the presenter's state
  /// written anew before the first step.
  package func beginForgetting<State: LoggedState>(
    _ selection: Selection,
    in _: State.Type
  ) -> Forgetting<State>? {
    guard trouble == nil, !hasUnsynced, active.state.count == 0, let header = active.header
    else { return nil }
    latest.abandon()
    do throws(Errno) { try StateFile.removeLatest(on: disk) } catch { return nil }
    besides.measureLatest(in: disk)
    besides.removeState(active.first, from: disk)
    guard besides.states[active.first] == nil else { return nil }
    requestState()
    let closed = known.dropLast()
    return Forgetting(
      selection,
      in: closed.indices.map { (known[$0].first, known[$0 + 1].first) },
      on: disk,
      fallback: header
    )
  }

  /// Waits until the medium has the state beside the newest segment: when those before it have gone,
  /// it alone knows which values to withhold.
  package func secureState() throws(Errno) {
    do throws(Errno) {
      try StateFile.secure(active.first, on: disk)
    } catch .noSuchFile {
      // It could not be written.
    }
  }

  /// Goes on with segments that have another content now, after each step; true if there are such.
  package func follow(_ forgetting: Forgetting<some LoggedState>) -> Bool {
    let changed = forgetting.takeChanged()
    for first in changed {
      guard let index = known.firstIndex(where: { $0.first == first }) else { continue }
      known[index].extents = nil
      known[index].open = nil
      if let entry = try? disk.measure(SegmentName.entries(first)) {
        known[index].size = entry.size
      }
      besides.note(stateOf: first, try? disk.measure(SegmentName.state(first)).size)
    }
    return !changed.isEmpty
  }

  /// Whether the log has a segment of this name, be it another one by now.
  package func hasSegment(from first: Seq) -> Bool { known.contains { $0.first == first } }
}
