// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

/// The users who sit at the machine, and the people among all users.
///
/// Only the windows of those who sit there can be the active one, so that no other user pushes them
/// into the background; and no person hears what is another's. A person is whoever has logged in at
/// any time, a greeter too; all others are services of the machine, whatever their numbers.
public struct Seat: Equatable, Sendable {
  /// Nil: everybody's windows may be active.
  public let uids: [UInt32]?
  /// Those who have logged in, now or before; nil: nobody tells, and all users are as one.
  public let people: [UInt32]?

  /// More users than there are seats at a machine.
  public static let mostUsers = 64
  /// The rest counts as services.
  public static let mostPeople = 1_024

  public static let everybody = Seat(nil)

  /// Of more users than there may be, the first count.
  public init(_ uids: [UInt32]?, people: [UInt32]? = nil) {
    self.uids = uids.map { Set($0.prefix(Self.mostUsers)).sorted() }
    self.people = people.map { Set($0.prefix(Self.mostPeople)).sorted() }
  }

  /// Reads the event of an entry, or another object with these members.
  public init(of object: JSONIndex, in line: JSONDocument) {
    func users(_ name: StaticString, _ most: Int) -> [UInt32]? {
      guard let list = line.list(name, of: object) else { return nil }
      var uids: [UInt32] = []
      var item = list + 1
      while item < line.end(list), uids.count < most {
        if let uid = line.integer(item).flatMap(UInt32.init(exactly:)) { uids.append(uid) }
        item = line.end(item)
      }
      return uids
    }
    self.init(users("uids", Self.mostUsers), people: users("people", Self.mostPeople))
  }

  public func admits(_ uid: UInt32) -> Bool { uids?.contains(uid) ?? true }

  public func isPerson(_ uid: UInt32) -> Bool { people?.contains(uid) ?? false }

  /// Whether a person is away while another sits at the machine.
  public func isAway(_ uid: UInt32) -> Bool { !admits(uid) && isPerson(uid) }

  /// Whether the voice of a user may speak what an app of another says.
  public func lets(_ reader: UInt32, hear speaker: UInt32) -> Bool {
    reader == speaker || !isPerson(reader) || !isPerson(speaker)
  }

  public static let form = ObjectForm<Seat>(
    [
      .maybe(
        "uids",
        .list(.count),
        "The users whose windows may be active; absent: all.",
        \.uids
      ),
      .maybe(
        "people",
        .list(.count),
        "The users who have logged in, now or before, here or from elsewhere; absent: nobody"
          + " tells.",
        \.people
      ),
    ],
    meaning: "Others sit at the machine, or somebody has logged in for the first time."
  )
}

/// The entries that a client may see where it may not see all.
public enum Confinement: Equatable, Sendable {
  /// Those about this app.
  case app(AppKey)
  /// Those about the apps of this person, and of all who are none of these people.
  case person(UInt32, among: [UInt32])

  public func admits(_ app: AppKey) -> Bool {
    switch self {
    case .app(let own): app == own
    case .person(let uid, let people): app.uid == uid || !people.contains(app.uid)
    }
  }

  /// Whether entries pass that are about no app, such as that texts were forgotten.
  var admitsNotes: Bool { if case .person = self { true } else { false } }
}

extension Model {
  /// Somebody tells who has logged in; asked for each event, without a copy of the seat.
  public var tellsPeopleApart: Bool { if case .some = reader.seat.people { true } else { false } }

  /// The user of a client that is connected.
  public func user(of conn: Int64) -> UInt32? { clients[conn]?.app.uid }

  /// Users with a claim at most, and locks that are read back; the oldest goes.
  static let mostClaims = 256

  /// Notes that a window would be the active one if its user sat at the machine.
  mutating func claim(_ place: WindowPlace) {
    claims.removeAll { $0.app.uid == place.app.uid }
    if claims.count >= Self.mostClaims { claims.removeFirst() }
    claims.append(place)
  }

  /// Has other users at the seat: the window of one who has left it is active no more, and that of
  /// one who has come is active again.
  mutating func take(_ seat: Seat) {
    self.seat = seat
    // What the reader of somebody who has left says of itself is not that of whoever has come.
    if let conn = reader.status?.conn, reader.rank(of: conn) != nil, reader.owner != conn {
      reader.status = nil
    }
    if let active, !seat.admits(active.app.uid) {
      claim(active)
      setState(.inactive, of: active)
    }
    guard active == nil, let next = claims.last(where: { seat.admits($0.app.uid) }) else { return }
    claims.removeAll { $0 == next }
    if apps[next.app]?.windows[next.window] != nil { setState(.active, of: next) }
  }
}

// A lock screen, which keeps what an app says from whoever happens to stand there.
extension Model {
  /// Windows of a user that lock the session at most; the oldest does no longer.
  private static let mostLocks = 8

  mutating func setLock(_ place: WindowPlace, _ isLock: Bool) {
    locks.removeAll { $0 == place || apps[$0.app]?.windows[$0.window] == nil }
    guard isLock else { return }
    if locks.count(where: { $0.app.uid == place.app.uid }) >= Self.mostLocks {
      locks.remove(at: locks.firstIndex { $0.app.uid == place.app.uid } ?? 0)
    }
    locks.append(place)
  }

  /// Whether a window of another app locks the session that this app belongs to.
  public func isLocked(for app: AppKey) -> Bool {
    guard !locks.isEmpty else { return false }
    return locks.contains { lock in
      lock.app.uid == app.uid && lock.app != app && apps[lock.app]?.windows[lock.window] != nil
    }
  }
}
