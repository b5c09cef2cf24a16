// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

/// What stands in the log's directory beside the segments, and how large it is.
///
/// The directory is looked through once, at the start; from then on the log notes what it writes and
/// removes, so that nobody has to look at thousands of names again.
struct Besides {
  /// A piece of evidence, see `Quarantine`.
  private struct Piece {
    let name: String
    let size: Int64
    let modified: Int64
  }

  /// The presenter's states at the beginnings of segments.
  private(set) var states: [Seq: Int64] = [:]
  /// The states within the segment that is appended to.
  private(set) var latest: Int64 = 0
  /// Oldest first.
  private var quarantine: [Piece] = []
  /// The lock, and what is not ours.
  private var others: Int64 = 0
  private var statesSum: Int64 = 0
  private var quarantineSum: Int64 = 0

  /// Looks at a directory; what cannot be measured counts nothing.
  init(in disk: any Disk) {
    for name in (try? disk.names(in: nil)) ?? [] where SegmentName.first(entries: name) == nil {
      guard name != Watermark.name, !SegmentName.latest.contains(name),
        let entry = try? disk.measure(name)
      else {
        continue
      }
      if let first = SegmentName.first(state: name) {
        note(stateOf: first, entry.size)
      } else if entry.kind == .file {
        others += entry.size
      }
    }
    for name in (try? disk.names(in: Quarantine.folder)) ?? [] {
      let path = Quarantine.folder + "/" + name
      guard let entry = try? disk.measure(path), entry.kind == .file else { continue }
      let modified = entry.modifiedMicroseconds
      quarantine.append(Piece(name: path, size: entry.size, modified: modified))
      quarantineSum += entry.size
    }
    quarantine.sort { ($0.modified, $0.name) < ($1.modified, $1.name) }
    measureLatest(in: disk)
  }

  /// All of it, in bytes.
  var bytes: Int64 { statesSum + latest + quarantineSum + others + Watermark.bytes }

  /// Notes how large the state at the beginning of a segment is by now; nil where there is none.
  mutating func note(stateOf first: Seq, _ size: Int64?) {
    statesSum += (size ?? 0) - (states[first] ?? 0)
    states[first] = size
  }

  /// Takes away the state at the beginning of a segment.
  mutating func removeState(_ first: Seq, from disk: any Disk) {
    do throws(Errno) {
      try disk.remove(SegmentName.state(first))
    } catch .noSuchFile {
      // Somebody else has tidied up.
    } catch {
      return
    }
    note(stateOf: first, nil)
  }

  mutating func measureLatest(in disk: any Disk) {
    latest = SegmentName.latest.reduce(0) { $0 + ((try? disk.measure($1).size) ?? 0) }
  }

  /// Takes away the oldest evidence; false where there is none, or the disk takes nothing.
  mutating func dropOldestEvidence(from disk: any Disk) -> Bool {
    guard let piece = quarantine.first else { return false }
    do throws(Errno) {
      try disk.remove(piece.name)
    } catch .noSuchFile {
      // Somebody else has tidied up.
    } catch {
      return false
    }
    quarantine.removeFirst()
    quarantineSum -= piece.size
    return true
  }
}
