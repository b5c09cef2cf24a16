// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// One window of an app as the log knows it, with its elements.
struct KnownWindow: Equatable, Sendable {
  enum State: String, Sendable {
    case opened, active, inactive
  }

  /// The window's number by arrival among all windows of the session.
  let arrival: Int64
  var state = State.opened
  var title: String?
  /// The covers in it, the newest last.
  var covers: [Cover] = []
  /// Elements that still say that they cover the rest, though a new screen has ended that.
  var dismissed: [Name] = []
  /// The last element of the window that had the focus.
  var focus: Name?
  /// The place of the focus in the app when the window last became the active one.
  var cameFrom: Return?
  var tree = Tree()

  init(arrival: Int64) { self.arrival = arrival }

  /// The bytes of its title and of the ids and texts of its elements.
  var bytes: Int { (title?.utf8.count ?? 0) + tree.bytes }

  var isModal: Bool { !covers.isEmpty }

  /// The most covers that are kept; the oldest goes.
  static let mostCovers = 33

  /// A window or element that covers the rest of its app.
  struct Cover: Equatable, Sendable {
    /// The element; nil if the window as a whole is the cover.
    let element: Name?
    /// The cover's number by arrival, which no other cover has.
    let at: Int64
    /// The place of the focus when the cover came.
    var returnTo: Return?
    /// An event has made the cover, and another ends it; otherwise the element says so itself.
    var isByEvent: Bool
  }

  /// A place to which the focus goes back.
  struct Return: Equatable, Sendable {
    let place: WindowPlace
    let element: Name
  }
}

/// An app as the log knows it: its windows, and how long they stay.
struct KnownApp: Equatable, Sendable {
  let arrival: Int64
  var connections = 0
  /// The instant at which the last of its connections ended.
  var left: Instant?
  var windows: [Name: KnownWindow] = [:]
  /// The bytes of the ids and texts of all windows.
  var bytes = 0

  init(arrival: Int64) { self.arrival = arrival }

  /// The window that arrived last among those that match.
  func newest(where isMeant: (KnownWindow) -> Bool) -> Name? {
    var newest: (name: Name, arrival: Int64)?
    for (name, window) in windows where window.arrival > newest?.arrival ?? -1 {
      if isMeant(window) { newest = (name, window.arrival) }
    }
    return newest?.name
  }

  var elementCount: Int { windows.values.reduce(0) { $0 + $1.tree.count } }
}
