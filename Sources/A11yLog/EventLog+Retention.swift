// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCore
import A11yPosix
import A11yWire

extension EventLog {
  /// Removes the oldest segments that nobody wants to keep; true when the log begins later now.
  ///
  /// As long as the engine's state is not beside the newest one, those before it are needed; room
  /// for a disk that takes nothing is needed more.
  package func retain(now wall: Int64) -> Bool {
    guard trouble != nil || !wantsState && !isWritingState else { return false }
    let before = first
    while known.count > 1, known[0].held == nil, !isParted(known[0].first), isDispensable(wall) {
      do throws(Errno) {
        try disk.remove(SegmentName.entries(known[0].first))
      } catch .noSuchFile {
        // Somebody else has tidied up.
      } catch {
        break
      }
      try? disk.remove(SegmentName.state(known[0].first))
      known[0].open?.isDropped = true
      known.removeFirst()
    }
    return first > before
  }

  /// Whether its file may have what else is in memory alone.
  private func isParted(_ first: Seq) -> Bool { parted.contains { $0.first == first } }

  private func isDispensable(_ wall: Int64) -> Bool {
    if let limit = policy.retainBytes, bytes > limit { return true }
    if let limit = policy.retainEntries, last.number - known[1].first.number + 1 >= limit {
      return true
    }
    guard let age = policy.retainAge, let newest = lastTime() else { return false }
    return wall - newest > age
  }

  /// When the last entry of the oldest segment was written, by its own stamp.
  ///
  /// Forgetting writes the file anew, and makes nothing in it younger. Where no stamp can be read,
  /// the file's says something.
  private func lastTime() -> Int64? {
    if let time = known[0].lastTime { return time }
    do throws(Errno) {
      let name = SegmentName.entries(known[0].first)
      let stated = try LastEntry.time(in: disk.open(name), with: reader)
      let time = if let stated { stated } else { try disk.measure(name).modifiedMicroseconds }
      known[0].lastTime = time
      return time
    } catch {
      return nil
    }
  }
}
