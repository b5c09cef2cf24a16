// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yCore
import A11yPosix
package import A11yWire

extension EventLog {
  /// Begins to forget; nil while the disk takes nothing.
  package func beginForgetting(_ selection: Selection, mono: Int64) -> Forgetting? {
    guard trouble == nil else { return nil }
    if active.state.count > 0 { roll(mono: mono) }
    guard active.state.count == 0, let header = active.header else { return nil }
    let closed = known.dropLast()
    return Forgetting(
      selection,
      in: closed.indices.map { (known[$0].first, known[$0 + 1].first) },
      on: disk,
      fallback: header
    )
  }

  /// Goes on with segments that have another content now.
  package func finish(_ forgetting: Forgetting) {
    for first in forgetting.changed {
      guard let index = known.firstIndex(where: { $0.first == first }) else { continue }
      known[index].extents = nil
      known[index].open = nil
      if let entry = try? disk.measure(SegmentName.entries(first)) {
        known[index].size = entry.size
      }
    }
    if !forgetting.changed.isEmpty { requestState() }
  }

  /// Whether the log has a segment of this name, be it another one by now.
  package func hasSegment(from first: Seq) -> Bool { known.contains { $0.first == first } }
}
