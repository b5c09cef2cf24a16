// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

/// A window, by its app and its name.
struct WindowPlace: Hashable, Sendable {
  let app: AppKey
  let window: Name
}

/// An element, by its app, its window and its name.
public struct ElementPlace: Hashable, Sendable {
  let app: AppKey
  let window: Name
  let element: Name

  public init(app: AppKey, window: Name, element: Name) {
    self.app = app
    self.window = window
    self.element = element
  }
}

/// An app of a user.
///
/// Apps of one name that run for two users are two apps.
public struct AppKey: TableKey, Sendable {
  public let uid: UInt32
  public let app: Name

  public init(uid: UInt32, app: Name) {
    self.uid = uid
    self.app = app
  }

  public var tableNumber: Int64 { Int64(app.mark &+ Int(uid)) }
}

/// The members of an entry before its event: when it was, and from whom.
public struct EntryHead: Sendable {
  public let seq: Seq
  public let mono: Int64
  public let app: AppKey
  public let conn: Int64

  public init(seq: Seq, mono: Int64, app: AppKey, conn: Int64) {
    self.seq = seq
    self.mono = mono
    self.app = app
    self.conn = conn
  }

  /// The head of a line of the log; nil without a seq or a time.
  ///
  /// A forgotten entry does not tell any more from whom it was.
  public init?(of entry: JSONDocument) {
    let envelope = EntryView(of: entry)
    guard let seq = envelope.seq, let mono = envelope.mono else { return nil }
    self.init(
      seq: seq,
      mono: mono,
      app: envelope.sender ?? Self.none.app,
      conn: envelope.conn ?? Self.none.conn
    )
  }

  /// The head of no entry.
  public static let none = EntryHead(
    seq: .none,
    mono: 0,
    app: AppKey(uid: 0, app: Name("")),
    conn: 0
  )
}

extension EntryView {
  /// The app and the user that the entry is from.
  package var sender: AppKey? { line.appKey(line.root) }

  /// The app and the user that the entry is about: of the bus's own entries, those that the event
  /// names.
  package var subjectApp: AppKey? { subject.flatMap { line.appKey($0) } }

  /// Whether a client that may not see all entries may see this one.
  ///
  /// Everybody may know whether a reader runs; what concerns no app is for people alone.
  package func isOpen(to confinement: Confinement) -> Bool {
    if type == EventType.voiceOverStatus.rawValue { return true }
    guard let subjectApp else { return confinement.admitsNotes }
    return confinement.admits(subjectApp)
  }
}
