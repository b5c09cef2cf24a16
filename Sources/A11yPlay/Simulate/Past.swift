// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yBroker
internal import A11yWire

/// The facts about earlier entries that later events may need, in a few bytes for each of them.
///
/// Nothing is ever dropped: a script ends.
final class Past {
  /// The speaker and the kind of an entry.
  private struct Note {
    let conn: Int32
    let kind: Kind
  }

  enum Kind {
    case published(EventType)
    case own(EventType.Own)
  }

  private var notes: [Note] = []
  /// By conn; none is ever given twice.
  private var people: [(app: String, uid: Int64)] = []

  func addSession(conn: Int64, app: String, uid: UInt32) {
    while people.count <= conn { people.append(("", 0)) }
    people[Int(conn)] = (app, Int64(uid))
  }

  func addEntry(conn: Int64, _ kind: Kind) {
    notes.append(Note(conn: Int32(truncatingIfNeeded: conn), kind: kind))
  }

  func entry(_ seq: Seq) -> PastEntry? {
    guard 1...Int64(notes.count) ~= seq.number else { return nil }
    let note = notes[Int(seq.number - 1)]
    let person = people[Int(note.conn)]
    switch note.kind {
    case .published(let type):
      return PastEntry(
        type: type.rawValue,
        app: person.app,
        uid: person.uid,
        isPublished: true
      )
    case .own(let type):
      return PastEntry(
        type: type.rawValue,
        app: person.app,
        uid: person.uid,
        isPublished: false
      )
    }
  }
}
