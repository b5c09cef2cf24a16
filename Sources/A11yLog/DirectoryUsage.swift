// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

/// The files in the log's directory beside the segments, and their sizes.
///
/// The directory is listed once, at the start; from then on the log keeps account of the files that
/// it writes and removes, for listing thousands of names again takes long.
struct DirectoryUsage {
  /// A piece of evidence, see `Quarantine`.
  private struct Piece {
    let name: String
    let size: Int64
    let modified: Int64
  }

  /// The checkpoints beside segments.
  private(set) var states: [Seq: Int64] = [:]
  /// The checkpoints within the segment that is appended to.
  private(set) var latest: Int64 = 0
  /// Oldest first.
  private var quarantine: [Piece] = []
  /// The lock, and files of others.
  private var others: Int64 = 0
  private var statesSum: Int64 = 0
  private var quarantineSum: Int64 = 0

  /// Measures the files of a directory; one that cannot be measured counts as empty.
  init(in disk: any Disk) {
    for name in (try? disk.names(in: nil)) ?? [] where SegmentName.first(entries: name) == nil {
      guard name != Watermark.name, !SegmentName.latest.contains(name),
        let entry = try? disk.measure(name)
      else {
        continue
      }
      if let first = SegmentName.first(state: name) {
        setSize(ofState: first, entry.size)
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

  /// The sum of all sizes.
  var bytes: Int64 { statesSum + latest + quarantineSum + others + Watermark.bytes }

  /// Sets the size of the state beside a segment; nil where there is none.
  mutating func setSize(ofState first: Seq, _ size: Int64?) {
    statesSum += (size ?? 0) - (states[first] ?? 0)
    states[first] = size
  }

  /// Removes the state beside a segment.
  mutating func removeState(_ first: Seq, from disk: any Disk) {
    do throws(Errno) {
      try disk.remove(SegmentName.state(first))
    } catch .noSuchFile {
      // The file was removed behind our back.
    } catch {
      return
    }
    setSize(ofState: first, nil)
  }

  mutating func measureLatest(in disk: any Disk) {
    latest = SegmentName.latest.reduce(0) { $0 + ((try? disk.measure($1).size) ?? 0) }
  }

  /// Removes the oldest evidence; false where there is none, or the disk takes nothing.
  mutating func dropOldestEvidence(from disk: any Disk) -> Bool {
    guard let piece = quarantine.first else { return false }
    do throws(Errno) {
      try disk.remove(piece.name)
    } catch .noSuchFile {
      // The file was removed behind our back.
    } catch {
      return false
    }
    quarantine.removeFirst()
    quarantineSum -= piece.size
    return true
  }
}
