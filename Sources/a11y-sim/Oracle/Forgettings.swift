// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The apps that somebody has asked to be forgotten, and the progress of that.
struct Forgettings {
  /// Entries up to this one may be forgotten by now; all of them while nobody has been answered.
  private var asked: [String: Int64] = [:]
  /// How many have asked and were not answered.
  private var open: [String: Int] = [:]
  /// Entries up to this one are nowhere any more.
  private var gone: [String: Int64] = [:]

  var isEmpty: Bool { asked.isEmpty }

  mutating func ask(_ app: String) {
    asked[app] = .max
    open[app, default: 0] += 1
  }

  /// Somebody was told that it is done; what it was sent by `through` was meant, and may be more.
  mutating func finish(_ app: String, through: Int64, by last: Int64) {
    close(app, by: last)
    gone[app] = max(gone[app] ?? 0, through)
  }

  /// Somebody was told that it goes no further.
  mutating func close(_ app: String, by last: Int64) {
    open[app, default: 1] -= 1
    // Another one that was asked for may mean what comes yet.
    if open[app] == 0 { asked[app] = last }
  }

  /// Nobody works on it any more.
  mutating func interrupt(at last: Int64) {
    asked = asked.mapValues { min($0, last) }
    open = [:]
  }

  func means(_ app: String, _ seq: Int64) -> Bool { asked[app].map { seq <= $0 } ?? false }

  func isGone(_ app: String, _ seq: Int64) -> Bool { gone[app].map { seq <= $0 } ?? false }
}

extension Chronicle {
  /// Somebody asks for an app to be forgotten; says what has been written by now.
  func askToForget(_ app: String) -> Int64 {
    forgettings.ask(app)
    return top
  }

  func forgot(_ app: String, through: Int64) {
    forgettings.finish(app, through: through, by: max(top, busLast()))
  }

  func gaveUpForgetting(_ app: String) { forgettings.close(app, by: max(top, busLast())) }

  /// Whether an entry may be no more than a number: its app was to be forgotten, or it speaks of
  /// one of which that is so.
  func mayBeForgotten(_ entry: Known) -> Bool {
    if forgettings.isEmpty { return false }
    if entry.about.type == Self.forgotten || forgettings.means(entry.about.app, entry.entry.seq) {
      return true
    }
    guard entry.entry.conn == 0 else { return false }
    return entry.about.of.contains { of in
      of < entry.entry.seq && (known[of].map(mayBeForgotten) ?? true)
    }
  }

  /// Whether a line is an entry that is known, or what may be left of it.
  func isRight(_ line: [UInt8]?, for entry: Known) -> Bool {
    line == entry.line || mayBeForgotten(entry) && line == entry.entry.tombstone
  }

  /// The events of which there must not be a word any more; those that were sent once more may have
  /// come again.
  var goneEvents: [SentEvent] {
    known.values.compactMap { entry in
      guard let publication = entry.publication, publication.requests == 1,
        forgettings.isGone(entry.about.app, entry.entry.seq)
      else { return nil }
      return publication
    }
  }

  static let forgotten = "forgotten"
}

/// Searches a disk for words that must not be on it.
struct SecretSearch {
  private let chronicle: Chronicle

  init(_ chronicle: Chronicle) { self.chronicle = chronicle }

  /// Blames every word of a forgotten event and every secret that is on the disk.
  func judge(_ disk: SimDisk) {
    let gone = chronicle.goneEvents.map { ($0.token, Array("\"ttl_ms\":\($0.token)".utf8)) }
    for name in disk.fileNames where !gone.isEmpty {
      guard let bytes = disk.content(name) else { continue }
      for (token, words) in gone where bytes.contains(words) {
        chronicle.judge.blame(
          expected: "event \(token) to be forgotten",
          came: "a word of it in \(name)"
        )
      }
    }
    for name in disk.fileNames {
      guard let bytes = disk.content(name), bytes.contains(EventMaker.secretMark) else { continue }
      chronicle.judge.blame(expected: "no secret in \(name)", came: "one")
    }
  }
}
