// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// The connections of a log, and the lines of a script by which they come and go.
struct ScriptCast {
  private struct Guest {
    let app: String
    let uid: Int64
    var isReader = false
    /// Whether a line has brought it into the script.
    var isThere = false
  }

  private var guests: [Int64: Guest] = [:]
  /// Whether anybody has come yet.
  var hasBegun: Bool { !guests.isEmpty }

  /// The name of a connection in the script.
  static func nickname(_ conn: Int64) -> String { "c\(conn)" }

  /// Notes an entry about a client, and appends the line that it becomes, if any.
  mutating func noteClient(
    _ entry: JSONDocument,
    _ event: JSONIndex,
    at instant: Int64,
    _ leavesOutReaders: Bool,
    into out: inout ByteBuffer
  ) {
    guard let conn = entry.integer("conn", of: event) else { return }
    switch entry.string("state", of: event) {
    case "joined":
      let app = entry.string("app", of: event) ?? ""
      let uid = entry.integer("uid", of: event) ?? 0
      let isReader = entry.string("role", of: event) == "reader"
      guests[conn] = Guest(app: app, uid: uid, isReader: isReader)
      // A reader comes when it begins to listen, and somebody without a name with the first event.
      guard !isReader, app != "uid:\(uid)" else { return }
      greet(conn, at: instant, into: &out)
    case "listening":
      guard !leavesOutReaders, guests[conn] != nil else { return }
      greet(conn, at: instant, into: &out) { hello in
        hello.append(member: "role", "reader")
        if let rank = entry.integer("speech", of: event) { hello.append(member: "speech", rank) }
        if entry.member("reports", of: event).map({ entry.kind($0) == .yes }) ?? false {
          hello.append(member: "reports", true)
        }
      }
    case "left":
      bid(conn, at: instant, into: &out)
      guests[conn] = nil
    case "unsubscribed":
      // The nearest that a script can say.
      bid(conn, at: instant, into: &out)
    default: break
    }
  }

  /// Makes sure that a connection is there before it publishes; a user's number belongs beside its
  /// event where that line brings it.
  mutating func enter(
    _ conn: Int64,
    _ app: String?,
    _ uid: Int64,
    at instant: Int64,
    into out: inout ByteBuffer
  ) -> Int64? {
    if guests[conn] == nil { guests[conn] = Guest(app: app ?? "uid:\(uid)", uid: uid) }
    guard let guest = guests[conn], !guest.isThere else { return nil }
    if guest.app == "uid:\(guest.uid)", !guest.isReader {
      guests[conn]?.isThere = true
      return guest.uid == Int64(Simulation.uid) ? nil : guest.uid
    }
    greet(conn, at: instant, into: &out)
    return nil
  }

  /// Everybody leaves: the bus is started anew.
  mutating func dismissAll(at instant: Int64, into out: inout ByteBuffer) {
    for conn in guests.keys.sorted() { bid(conn, at: instant, into: &out) }
    guests = [:]
  }

  private mutating func greet(
    _ conn: Int64,
    at instant: Int64,
    into out: inout ByteBuffer,
    _ more: (inout ByteBuffer) -> Void = { _ in }
  ) {
    guard let guest = guests[conn], !guest.isThere else { return }
    guests[conn]?.isThere = true
    Self.beginLine(conn, at: instant, into: &out)
    out.append(member: "hello")
    out.append("{")
    if guest.app != "uid:\(guest.uid)" { out.append(member: "app", guest.app) }
    if guest.uid != Int64(Simulation.uid) { out.append(member: "uid", guest.uid) }
    more(&out)
    out.append("}}\n")
  }

  private mutating func bid(_ conn: Int64, at instant: Int64, into out: inout ByteBuffer) {
    guard guests[conn]?.isThere ?? false else { return }
    guests[conn]?.isThere = false
    Self.beginLine(conn, at: instant, into: &out)
    out.append(member: "gone", true)
    out.append("}\n")
  }

  private static func beginLine(_ conn: Int64, at instant: Int64, into out: inout ByteBuffer) {
    out.append("{\"mono\":")
    out.append(decimal: instant)
    out.append(member: "conn", nickname(conn))
  }
}
