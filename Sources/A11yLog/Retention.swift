// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

extension EventLog {
  /// Removes the oldest segments beyond the policy; true when the log begins later now.
  ///
  /// While the state is not beside the newest segment, those before it are needed, unless the disk
  /// takes nothing and needs the room. While the newest is in memory alone, the one before it
  /// stays: a crash would leave no log at all.
  package func retain(now wall: Int64, mono: Int64) -> Bool {
    guard trouble != nil || !wantsState && !isWritingState else { return false }
    let before = first
    lighten()
    let kept = active.file == nil ? 2 : 1
    while known.count > kept, known[0].held == nil, !isParted(known[0].first),
      isBaseless(since: before) || isDispensable(wall, mono)
    {
      guard (try? disk.removeIfThere(SegmentName.entries(known[0].first))) != nil else { break }
      usage.removeState(known[0].first, from: disk)
      known[0].open?.isDropped = true
      known.removeFirst()
    }
    return first > before
  }

  /// Whether a state weighs so much that two more within a segment would take room from entries.
  func isHeavy(_ weight: Int64) -> Bool { policy.retainBytes.map { weight > $0 / 16 } ?? false }

  /// Removes files that are not necessary, so that entries can stay.
  ///
  /// What an app has described stands in every state from then on, so that states would soon take
  /// more room than what was said. They are kept beside the oldest segment, from which every other
  /// state follows, and beside the newest, where a start begins; those between have a part of the
  /// room together. Evidence goes before entries.
  private func lighten() {
    guard let limit = policy.retainBytes else { return }
    thinStates(to: limit / 4)
    if isHeavy(usage.latest / 2), !isWritingLatest {
      try? checkpoints.removeLatest()
      usage.measureLatest(in: disk)
    }
    while bytes > limit, usage.dropOldestEvidence(from: disk) { droppedEvidence += 1 }
  }

  /// Removes states between the oldest segment and the newest, until they have so many bytes
  /// together.
  ///
  /// First goes the one whose neighbours are nearest: where the oldest segment goes, those behind
  /// it without a state go too, so the states that stay are spread over the log.
  private func thinStates(to room: Int64) {
    var bases = known.indices.dropFirst().dropLast().filter {
      usage.states[known[$0].first] != nil
    }
    var sum = bases.reduce(0) { $0 + (usage.states[known[$1].first] ?? 0) }
    while sum > room {
      let ends = [0] + bases + [known.count - 1]
      let spare = bases.indices.min { ends[$0 + 2] - ends[$0] < ends[$1 + 2] - ends[$1] }
      guard let spare else { return }
      let first = known[bases.remove(at: spare)].first
      sum -= usage.states[first] ?? 0
      usage.removeState(first, from: disk)
    }
  }

  /// Whether the log, since segments were dropped, begins with a segment without a state beside it,
  /// though a later one has one.
  private func isBaseless(since before: Seq) -> Bool {
    first > before && usage.states[first] == nil && usage.states[active.first] != nil
  }

  /// Whether the file may have entries that are otherwise in memory alone.
  private func isParted(_ first: Seq) -> Bool { moved.parted.contains { $0.first == first } }

  private func isDispensable(_ wall: Int64, _ mono: Int64) -> Bool {
    if let limit = policy.retainBytes, bytes > limit { return true }
    if let limit = policy.retainEntries, last.number - known[1].first.number + 1 >= limit {
      return true
    }
    guard let limit = policy.retainAge, let newest = lastStamp() else { return false }
    // Both clocks have to agree on an age: a clock that steps makes nothing old.
    return min(wall - newest.time, mono - newest.mono) > limit
  }

  /// The stamp of the last entry of the oldest segment.
  ///
  /// The file's own time is no measure, since forgetting writes files anew; it counts where no
  /// stamp can be read, and for the wall clock alone.
  private func lastStamp() -> Stamp? {
    if let stamp = known[0].lastStamp { return stamp }
    do throws(Errno) {
      let name = SegmentName.entries(known[0].first)
      let stated = try LastEntry.stamp(in: disk.open(name), with: json)
      let stamp =
        if let stated {
          stated
        } else {
          Stamp(time: try disk.measure(name).modifiedMicroseconds, mono: .min / 2)
        }
      known[0].lastStamp = stamp
      return stamp
    } catch {
      return nil
    }
  }
}

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
    // A file that was removed behind our back is gone as well.
    guard (try? disk.removeIfThere(SegmentName.state(first))) != nil else { return }
    setSize(ofState: first, nil)
  }

  mutating func measureLatest(in disk: any Disk) {
    latest = SegmentName.latest.reduce(0) { $0 + ((try? disk.measure($1).size) ?? 0) }
  }

  /// Removes the oldest evidence; false where there is none, or the disk takes nothing.
  mutating func dropOldestEvidence(from disk: any Disk) -> Bool {
    guard let piece = quarantine.first else { return false }
    guard (try? disk.removeIfThere(piece.name)) != nil else { return false }
    quarantine.removeFirst()
    quarantineSum -= piece.size
    return true
  }
}
