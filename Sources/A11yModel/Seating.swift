// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

/// The users who sit at the machine: only their windows can be the active one, so that no other
/// user pushes them into the background.
public struct Seat: Equatable, Sendable {
  /// Nil: everybody's windows may be active.
  public let uids: [UInt32]?

  /// More users than there are seats at a machine.
  public static let mostUsers = 64

  public static let everybody = Seat(nil)

  public init(_ uids: [UInt32]?) {
    self.uids = uids.map { Array(Set($0).sorted().prefix(Self.mostUsers)) }
  }

  /// Reads the event of an entry, or another object with `uids`.
  public init(of object: JSONIndex, in line: JSONDocument) {
    guard let list = line.list("uids", of: object) else {
      self = .everybody
      return
    }
    var uids: [UInt32] = []
    var item = list + 1
    while item < line.end(list), uids.count < Self.mostUsers {
      if let uid = line.integer(item).flatMap(UInt32.init(exactly:)) { uids.append(uid) }
      item = line.end(item)
    }
    self.init(uids)
  }

  public func admits(_ uid: UInt32) -> Bool { uids?.contains(uid) ?? true }

  public static let form = ObjectForm<Seat>(
    [
      .maybe(
        "uids",
        .list(.count),
        "The users whose windows may be active; absent: all.",
        \.uids
      )
    ],
    meaning: "The users who sit at the machine have changed."
  )
}

extension Model {
  /// Users with a claim at most; the oldest goes.
  private static let mostClaims = 256

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
    if let active, !seat.admits(active.app.uid) {
      claim(active)
      setState(.inactive, of: active)
    }
    guard active == nil, let next = claims.last(where: { seat.admits($0.app.uid) }) else { return }
    claims.removeAll { $0 == next }
    if apps[next.app]?.windows[next.window] != nil { setState(.active, of: next) }
  }
}
