// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

/// One window of an app: what it says of itself, and the elements in it.
struct KnownWindow: Equatable, Sendable {
  enum State: String, Sendable {
    case opened, active, inactive
  }

  /// Its place among all windows of the session, by their coming.
  let arrival: Int64
  var state = State.opened
  var title: String?
  /// What in it covers the rest of its app, the newest last.
  var covers: [Cover] = []
  /// Elements that say still that they cover the rest, though a new screen has ended that.
  var dismissed: [Name] = []
  /// The element that the focus was on when it last was in this window.
  var focus: Name?
  /// Where in its app the focus was when it last became the active one.
  var cameFrom: Return?
  var tree = Tree()

  init(arrival: Int64) { self.arrival = arrival }

  /// What its title and the ids and texts of its elements have.
  var bytes: Int { (title?.utf8.count ?? 0) + tree.bytes }

  var isModal: Bool { !covers.isEmpty }

  /// Covers that are kept at most; the oldest goes.
  static let mostCovers = 33

  /// Something that covers the rest of an app.
  struct Cover: Equatable, Sendable {
    /// The element that does, if it is not the window as a whole.
    let element: Name?
    /// When it came, counted like arrivals, by which it is told from all others.
    let at: Int64
    /// Where the focus was then.
    var returnTo: Return?
    /// An event has said so, and another event ends it; otherwise the element says so itself.
    var isByEvent: Bool
  }

  /// A place to which the focus goes back.
  struct Return: Equatable, Sendable {
    let place: WindowPlace
    let element: Name
  }
}

/// Where a window is to be found.
struct WindowPlace: Hashable, Sendable {
  let app: AppKey
  let window: Name
}

/// Where an element is to be found.
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
/// Two users may have apps of one name, and these know nothing of each other.
public struct AppKey: TableKey, Sendable {
  public let uid: UInt32
  public let app: Name

  public init(uid: UInt32, app: Name) {
    self.uid = uid
    self.app = app
  }

  public var tableNumber: Int64 { Int64(app.mark &+ Int(uid)) }
}

/// What is known of an app: its windows, and how long they stay.
struct KnownApp: Equatable, Sendable {
  let arrival: Int64
  var connections = 0
  /// When the last of its connections ended, on the bus clock.
  var left: Int64?
  var windows: [Name: KnownWindow] = [:]
  /// What the ids and texts of all of these have.
  var bytes = 0

  init(arrival: Int64) { self.arrival = arrival }

  /// The window that came last of those of which something is true.
  func newest(where isMeant: (KnownWindow) -> Bool) -> Name? {
    var newest: (name: Name, arrival: Int64)?
    for (name, window) in windows where window.arrival > newest?.arrival ?? -1 {
      if isMeant(window) { newest = (name, window.arrival) }
    }
    return newest?.name
  }

  var elementCount: Int { windows.values.reduce(0) { $0 + $1.tree.count } }
}
