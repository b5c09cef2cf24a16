// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// What each user has added to the log within a day, so that nobody's flood takes the past of all
/// others away: the log keeps so many bytes, and the oldest go.
///
/// A day is 24 hours of the bus clock, counted by the hour. What counts is the user's events and
/// the bus's entries about them.
package struct LogShares {
  /// The users that are counted at most; at the bound the one with least gives way.
  static let mostUsers = 256

  private static let hour: Int64 = 3_600_000_000
  private static let hours: Int64 = 24

  private var shares: [UInt32: Share] = [:]

  package init() {}

  var isEmpty: Bool { shares.isEmpty }

  private struct Share {
    /// The bytes of each hour that has any, oldest first; at most one more than a day has.
    var counts: ArraySlice<(hour: Int64, bytes: Int64)> = []
    var bytes: Int64 = 0
    /// When an urgent event has last gone over the limit.
    var lastUrgent: Int64?

    mutating func expire(at hour: Int64) {
      while let first = counts.first, first.hour <= hour - LogShares.hours {
        bytes -= first.bytes
        counts.removeFirst()
      }
    }

    mutating func add(_ more: Int64, at hour: Int64) {
      expire(at: hour)
      bytes += more
      if let last = counts.last, last.hour >= hour {
        counts[counts.endIndex - 1].bytes += more
      } else {
        counts.append((hour, more))
      }
    }
  }

  /// The bytes that a user has added within the day.
  func bytes(of uid: UInt32, at mono: Int64) -> Int64 {
    guard var share = shares[uid] else { return 0 }
    share.expire(at: mono / Self.hour)
    return share.bytes
  }

  mutating func add(_ bytes: Int, of uid: UInt32, at mono: Int64) {
    add(Int64(bytes), of: uid, inHour: mono / Self.hour)
  }

  private mutating func add(_ bytes: Int64, of uid: UInt32, inHour hour: Int64) {
    if shares[uid] == nil, shares.count >= Self.mostUsers,
      let least = shares.min(by: { $0.value.bytes < $1.value.bytes })
    {
      shares[least.key] = nil
    }
    shares[uid, default: Share()].add(bytes, at: hour)
  }

  /// The milliseconds until the user may add so many bytes; 0: now.
  func wait(for bytes: Int, of uid: UInt32, upTo limit: Int, at mono: Int64) -> Int64 {
    guard let share = shares[uid] else { return 0 }
    var left = share.bytes
    for count in share.counts {
      let end = (count.hour + Self.hours) * Self.hour
      if end > mono, left + Int64(bytes) <= Int64(limit) { return 0 }
      left -= count.bytes
      if end > mono, left + Int64(bytes) <= Int64(limit) { return (end - mono + 999) / 1_000 }
    }
    return 0
  }

  /// Whether a user over the limit may say something urgent: once a second.
  mutating func takesUrgent(of uid: UInt32, at mono: Int64) -> Bool {
    if let last = shares[uid]?.lastUrgent, mono - last < 1_000_000 { return false }
    shares[uid]?.lastUrgent = mono
    return true
  }

  /// The lines of a `.state` file that tell all this.
  var lines: [Line] {
    shares.sorted { $0.key < $1.key }.flatMap { uid, share in
      share.counts.map { Line(uid: uid, hour: $0.hour, bytes: $0.bytes) }
    }
  }

  /// The bytes that a user has added in an hour.
  struct Line {
    let uid: UInt32
    let hour: Int64
    let bytes: Int64

    func write(into out: inout ByteBuffer) {
      out.appendLine { out in
        out.object("share") { out in
          out.append(member: "uid", Int64(uid))
          out.append(member: "hour", hour)
          out.append(member: "bytes", bytes)
        }
      }
    }
  }

  /// Counts an entry of the log that an app has published.
  mutating func add(_ entry: EntryView, bytes: Int) {
    guard !entry.isOwn, let uid = entry.uid.flatMap(UInt32.init(exactly:)), uid != 0,
      let mono = entry.mono.flatMap(Stamp.stated)
    else { return }
    add(bytes, of: uid, at: mono)
  }

  /// Forgets what a user has added who has no limit.
  mutating func remove(_ uid: UInt32) { shares[uid] = nil }

  /// Takes over such a line; false where it is another.
  mutating func restore(_ line: JSONDocument) -> Bool {
    guard let fact = line.member("share", of: line.root), line.kind(fact) == .object,
      let uid = line.integer("uid", of: fact).flatMap(UInt32.init(exactly:)),
      let hour = line.integer("hour", of: fact), hour >= 0, hour <= Int64.max / Self.hour - 48,
      let bytes = line.integer("bytes", of: fact), 0...(1 << 40) ~= bytes
    else { return false }
    add(bytes, of: uid, inHour: hour)
    return true
  }
}
