// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
package import A11yWire

/// The files of checkpoints.
enum StateFile {
  /// Waits until the medium has the file beside a segment.
  static func secure(_ first: Seq, on disk: any Disk) throws(Errno) {
    try disk.open(SegmentName.state(first)).synchronize()
    try disk.synchronizeNames()
  }

  /// Removes the checkpoints within the segment that is appended to, from the medium too: they may
  /// speak of entries that are to be forgotten.
  static func removeLatest(on disk: any Disk) throws(Errno) {
    for name in SegmentName.latest {
      do throws(Errno) { try disk.remove(name) } catch .noSuchFile {}
    }
    // Even where none was there: an earlier attempt may have come only so far.
    try disk.synchronizeNames()
  }
}

extension Checkpoint {
  /// Reads the checkpoint beside a segment; nil where the file is not there or not whole.
  package static func read(
    beside first: Seq,
    on disk: any Disk,
    with json: JSONReader
  ) -> Checkpoint? {
    do throws(Errno) {
      return finishReading(try StateReader(first, on: disk, with: json))
    } catch {
      return nil
    }
  }

  /// The whole checkpoints within a segment, the newest first, each read when it is asked for.
  static func latest(
    within segment: FoundSegment,
    on disk: any Disk,
    with json: JSONReader
  ) -> some Sequence<Checkpoint> {
    var found: [(name: String, after: Seq)] = []
    for name in SegmentName.latest {
      // Without a header nobody can tell to which segment a checkpoint belongs.
      guard let header = segment.header,
        let known = readPlace(name, on: disk, with: json), known.header?.first == segment.first,
        known.belongs(to: header, through: known.after)
      else { continue }
      found.append((name, known.after))
    }
    found.sort { $0.after > $1.after }
    return found.lazy.compactMap { name, _ in readLatest(name, on: disk, with: json) }
  }

  private static func readPlace(
    _ name: String,
    on disk: any Disk,
    with json: JSONReader
  ) -> Checkpoint? {
    do throws(Errno) {
      var file = try StateReader<State>(latest: name, on: disk, with: json)
      return file.readPlace()
    } catch {
      return nil
    }
  }

  private static func readLatest(
    _ name: String,
    on disk: any Disk,
    with json: JSONReader
  ) -> Checkpoint? {
    do throws(Errno) {
      return finishReading(try StateReader(latest: name, on: disk, with: json))
    } catch {
      return nil
    }
  }

  private static func finishReading(_ reader: consuming StateReader<State>) -> Checkpoint? {
    while true {
      switch reader.advance(budget: .max) {
      case .more: continue
      case .whole(let checkpoint): return checkpoint
      case .nothing: return nil
      }
    }
  }
}
