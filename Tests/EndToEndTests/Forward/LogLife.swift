// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit

/// All that a log has had between two deletions of its files, and the judge of an engine's copy.
struct LogLife {
  /// The entries, in order, but for those that were forgotten while they were on the disk.
  private var entries: [(seq: Int64, line: String)] = []
  /// The first seq on the disk.
  private var start: Int64 = 1
  /// Whether its files were deleted, perhaps before its last entries were sent.
  var isOver = false

  /// The epochs that its starts have told.
  var epochs: Set<String> { Set(entries.compactMap { Self.epoch($0.line) }) }

  /// Takes the entries that are on the disk now, in place of those that it had from there on.
  mutating func keep(_ lines: [String]) {
    guard let first = lines.first.flatMap(Self.seq) else { return }
    start = first
    entries.removeAll { $0.seq >= first }
    entries += lines.map { (Self.seq($0) ?? 0, $0) }
  }

  /// The first difference to an engine's copy, as a sentence; nil where there is none.
  ///
  /// Each entry is there once, in its order, byte for byte and under its epoch, or within a gap
  /// that is told, of entries that are no longer on the disk. Nothing else is there.
  func difference(_ stored: [EngineServer.Stored]) -> String? {
    let excused = missedForgettings(stored)
    var last: Int64 = 0
    var place = 0
    var epoch = ""
    for message in stored {
      if let gap = Self.gap(message.line) {
        guard gap.lowerBound > last else { return "a gap from \(gap.lowerBound) behind \(last)" }
        while place < entries.count, entries[place].seq <= gap.upperBound {
          let seq = entries[place].seq
          if seq < gap.lowerBound { return "\(seq) is missing before a gap" }
          if seq >= start { return "\(seq) is on the disk, and in a gap" }
          epoch = Self.epoch(entries[place].line) ?? epoch
          place += 1
        }
        last = gap.upperBound
        continue
      }
      guard let seq = Self.seq(message.line) else { return "no entry: \(message.line)" }
      guard seq > last else { return "\(seq) stands behind \(last)" }
      last = seq
      if place < entries.count, entries[place].seq < seq {
        return "\(entries[place].seq) is missing before \(seq)"
      }
      guard place < entries.count, entries[place].seq == seq else {
        if excused.contains(where: { $0.contains(seq) }) { continue }
        return "\(seq) is there, and was forgotten or never in the log"
      }
      guard message.line == entries[place].line else { return "\(seq) is another line" }
      epoch = Self.epoch(message.line) ?? epoch
      guard message.epoch == epoch else { return "\(seq) has the epoch \(message.epoch)" }
      place += 1
    }
    return place == entries.count || isOver
      ? nil : "\(entries[place].seq) is missing, and all behind it"
  }

  /// The entries that were forgotten by an entry which is itself in a gap, so that no engine knows.
  private func missedForgettings(_ stored: [EngineServer.Stored]) -> [ClosedRange<Int64>] {
    let gaps = stored.compactMap { Self.gap($0.line) }
    guard !gaps.isEmpty else { return [] }
    return entries.filter { entry in
      entry.line.contains(#""type":"forgot""#) && gaps.contains { $0.contains(entry.seq) }
    }.flatMap { entry in
      let ranges = (try? JSON(entry.line))?["event"]["ranges"].list ?? []
      return ranges.compactMap { range -> ClosedRange<Int64>? in
        guard let from = range[0].integer, let to = range[1].integer else { return nil }
        return from...to
      }
    }
  }

  private static let front = #"{"seq":"#

  private static func seq(_ line: String) -> Int64? {
    guard line.hasPrefix(front) else { return nil }
    return Int64(line.dropFirst(front.count).prefix { $0.isNumber })
  }

  /// The epoch from an entry on that tells of a start.
  private static func epoch(_ line: String) -> String? {
    guard line.contains(#""type":"opened""#) else { return nil }
    return (try? JSON(line))?["event"]["epoch"].string
  }

  private static func gap(_ line: String) -> ClosedRange<Int64>? {
    guard line.hasPrefix(#"{"mark":"gap""#), let mark = try? JSON(line),
      let from = mark["from"].integer, let to = mark["to"].integer
    else { return nil }
    return from...to
  }
}
