// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

/// A model being written down, a slice at a time, while the one that it was copied from goes on.
///
/// Every line is one fact, or the next of a window's elements:
/// `{"state":{"<kind>":{…}},"crc":"…"}`. Lines build on those before them: a model is restored from
/// all of them in their order, or not at all.
///
/// Written parts are released in slices, too, because the replica may be the last owner of parts
/// that the model has changed in the meantime.
public struct Replica: Sendable {
  /// Elements share lines of about this length, so that their window is not named with each.
  ///
  /// The longest element there can be fits in behind it, and the line is still one that is read.
  private static let fullLine = 32_768

  /// Releasing one piece of a tree costs about as much as writing so many bytes.
  private static let freeing = 16_384

  private var model: Model
  private var apps: [(key: AppKey, app: KnownApp)]
  private let conns: [Int64]
  /// The windows of the app at hand.
  private var windows: [(id: Name, window: KnownWindow)] = []
  private var next = Step.session

  private enum Step {
    case session
    case app(Int)
    case client(Int)
    case windows(app: Int)
    case window(Int, app: Int)
    case elements(from: Tree.Slot, window: Int, app: Int)
    case farewell(window: Int, app: Int)
    case end
  }

  public init(_ model: Model) {
    self.model = model
    apps = model.apps.map { ($0.key, $0.value) }.sorted { $0.app.arrival < $1.app.arrival }
    let listening = model.reader.listeners.map(\.conn)
    let others = model.clients.keys.filter { !listening.contains($0) }.sorted()
    conns = listening + others
    self.model.apps = [:]
  }

  /// Appends lines until `budget` bytes have come, and says whether there are more.
  public mutating func write(into out: inout ByteBuffer, budget: Int) -> Bool {
    let start = out.count
    var spent = 0
    while out.count - start + spent < budget {
      switch next {
      case .session:
        writeSession(into: &out)
        next = .app(0)
      case .app(let index) where index < apps.count:
        writeApp(index, into: &out)
        next = .app(index + 1)
      case .app: next = .client(0)
      case .client(let index) where index < conns.count:
        writeClient(conns[index], into: &out)
        next = .client(index + 1)
      case .client: next = .windows(app: 0)
      case .windows(let app) where app < apps.count:
        windows = apps[app].app.windows.map { ($0.key, $0.value) }
        windows.sort { $0.window.arrival < $1.window.arrival }
        apps[app].app.windows = [:]
        next = .window(0, app: app)
      case .windows: next = .end
      case .window(let index, let app) where index < windows.count:
        writeWindow(index, of: apps[app].key, into: &out)
        next = .elements(from: windows[index].window.tree.first, window: index, app: app)
      case .window(_, let app): next = .windows(app: app + 1)
      case .elements(.none, let index, let app): next = .farewell(window: index, app: app)
      case .elements(let slot, let index, let app):
        let rest = writeElements(from: slot, window: index, of: apps[app].key, into: &out)
        next = .elements(from: rest, window: index, app: app)
      case .farewell(let index, let app):
        if windows[index].window.tree.freePiece() { next = .window(index + 1, app: app) }
        spent += Self.freeing
      case .end: return false
      }
    }
    if case .end = next { return false }
    return true
  }

  // MARK: Lines

  private static func line(
    _ kind: StaticString,
    into out: inout ByteBuffer,
    _ members: (inout ByteBuffer) -> Void
  ) {
    let start = out.count
    out.append("{")
    out.object("state") { $0.object(kind, members) }
    out.seal(from: start)
  }

  private func writeSession(into out: inout ByteBuffer) {
    Self.line("session", into: &out) { out in
      out.append(member: "arrivals", model.arrivals)
      out.append(member: "do_not_disturb", model.doNotDisturb)
      if let active = model.active {
        out.object("active") { $0.appendMembers(of: active) }
      }
      Seat.form.write(model.seat, into: &out)
      if !model.claims.isEmpty {
        out.array("claims") { out in
          for place in model.claims { out.nextObject { $0.appendMembers(of: place) } }
        }
      }
      if !model.locks.isEmpty {
        out.array("locks") { out in
          for place in model.locks { out.nextObject { $0.appendMembers(of: place) } }
        }
      }
      if let focus = model.focus {
        out.object("focus") {
          $0.append(member: "seq", focus.seq.number)
          $0.appendMembers(of: focus.place)
          $0.append(member: "element", focus.element.text)
        }
      }
      if let suggestion = model.suggestion {
        out.object("suggestion") {
          $0.append(member: "seq", suggestion.seq.number)
          $0.appendMembers(of: suggestion.place)
          $0.append(member: "element", suggestion.element.text)
          $0.append(member: "reason", suggestion.reason)
        }
      }
      if let status = model.reader.status {
        out.object("reader") {
          $0.append(member: "running", status.isRunning)
          if let name = status.name { $0.append(member: "name", name) }
          $0.append(member: "conn", status.conn)
        }
      }
    }
  }

  private func writeApp(_ index: Int, into out: inout ByteBuffer) {
    let (key, app) = apps[index]
    Self.line("app", into: &out) { out in
      out.appendMembers(of: key)
      out.append(member: "arrival", app.arrival)
      if let left = app.left { out.append(member: "left", left.microseconds) }
    }
  }

  private func writeClient(_ conn: Int64, into out: inout ByteBuffer) {
    guard let client = model.clients[conn] else { return }
    Self.line("client", into: &out) { out in
      out.appendMembers(of: client.app)
      out.append(member: "conn", conn)
      if client.isReader { out.append(member: "role", "reader") }
      if let rank = model.reader.rank(of: conn) { out.append(member: "listening", rank) }
    }
  }

  private func writeWindow(_ index: Int, of key: AppKey, into out: inout ByteBuffer) {
    let (id, window) = windows[index]
    Self.line("window", into: &out) { out in
      out.appendMembers(of: WindowPlace(app: key, window: id))
      out.append(member: "arrival", window.arrival)
      out.append(member: "state", window.state.rawValue)
      if let title = window.title { out.append(member: "title", title) }
      if !window.covers.isEmpty {
        out.array("covers", of: window.covers) { $0.appendCover($1) }
      }
      if !window.dismissed.isEmpty {
        out.array("dismissed", of: window.dismissed) { $0.append(json: $1.text) }
      }
      if let focus = window.focus { out.append(member: "focus", focus.text) }
      if let spot = window.cameFrom { out.appendReturn("came_from", spot) }
    }
  }

  /// Writes one line of elements, and returns the place of the next.
  private func writeElements(
    from first: Tree.Slot,
    window index: Int,
    of key: AppKey,
    into out: inout ByteBuffer
  ) -> Tree.Slot {
    let (id, window) = windows[index]
    var slot = first
    Self.line("elements", into: &out) { out in
      let start = out.count
      out.appendMembers(of: WindowPlace(app: key, window: id))
      out.array("list") { out in
        while slot != .none, out.count - start < Self.fullLine {
          out.separate()
          let tree = window.tree
          tree.element(slot)?.writeRecord(
            tree.name(slot),
            parent: tree.parent(of: slot),
            into: &out
          )
          slot = tree.next(after: slot)
        }
      }
    }
    return slot
  }
}

extension ByteBuffer {
  fileprivate mutating func appendMembers(of key: AppKey) {
    append(member: "app", key.app.text)
    append(member: "uid", Int64(key.uid))
  }

  fileprivate mutating func appendCover(_ cover: KnownWindow.Cover) {
    object {
      $0.append(member: "at", cover.at)
      if let element = cover.element { $0.append(member: "element", element.text) }
      if cover.isByEvent { $0.append(member: "by_event", true) }
      if let back = cover.returnTo { $0.appendReturn("return_to", back) }
    }
  }

  fileprivate mutating func appendReturn(_ name: StaticString, _ spot: KnownWindow.Return) {
    object(name) {
      $0.appendMembers(of: spot.place)
      $0.append(member: "element", spot.element.text)
    }
  }

  fileprivate mutating func appendMembers(of place: WindowPlace) {
    appendMembers(of: place.app)
    append(member: "window", place.window.text)
  }
}

// Restores a model from the lines of a `Replica`.
extension Model {
  /// Restores the part in a line of a replica, after all lines before it.
  ///
  /// False where the line is none of a replica's; the model is of no use then.
  public mutating func restore(_ line: JSONDocument) -> Bool {
    guard let state = line.member("state", of: line.root), line.kind(state) == .object else {
      return false
    }
    if let session = line.member("session", of: state) { return restoreSession(line, session) }
    if let app = line.member("app", of: state) { return restoreApp(line, app) }
    if let client = line.member("client", of: state) { return restoreClient(line, client) }
    if let window = line.member("window", of: state) { return restoreWindow(line, window) }
    if let elements = line.member("elements", of: state) {
      return restoreElements(line, elements)
    }
    return false
  }

  private mutating func restoreSession(_ line: JSONDocument, _ session: JSONIndex) -> Bool {
    guard let arrivals = line.integer("arrivals", of: session),
      let level = line.integer("do_not_disturb", of: session)
    else { return false }
    self.arrivals = arrivals
    doNotDisturb = level
    if let value = line.member("active", of: session) {
      guard let place = line.windowPlace(value) else { return false }
      active = place
    }
    seat = Seat(of: session, in: line)
    guard let claimed = line.windowPlaces("claims", of: session),
      let locked = line.windowPlaces("locks", of: session)
    else { return false }
    claims = Array(claimed.suffix(Self.mostClaims))
    locks = Array(locked.suffix(Self.mostClaims))
    if let value = line.member("focus", of: session) {
      guard let seq = line.integer("seq", of: value), let place = line.windowPlace(value),
        let element = line.name("element", of: value)
      else { return false }
      focus = Focus(seq: Seq(seq), place: place, element: element)
    }
    if let value = line.member("suggestion", of: session) {
      guard let seq = line.integer("seq", of: value), let place = line.windowPlace(value),
        let element = line.name("element", of: value),
        let reason = line.string("reason", of: value)
      else { return false }
      let spot = Spot(app: place.app, window: place.window, element: element)
      suggestion = Suggestion(seq: Seq(seq), spot: spot, reason: reason)
    }
    if let value = line.member("reader", of: session) {
      guard let running = line.member("running", of: value),
        let conn = line.integer("conn", of: value)
      else { return false }
      let name = line.string("name", of: value)
      reader.status = Reader.Status(isRunning: line.kind(running) == .yes, name: name, conn: conn)
    }
    return true
  }

  private mutating func restoreApp(_ line: JSONDocument, _ value: JSONIndex) -> Bool {
    guard let key = line.appKey(value), let arrival = line.integer("arrival", of: value) else {
      return false
    }
    var app = KnownApp(arrival: arrival)
    app.left = line.integer("left", of: value).map(Instant.init(microseconds:))
    if let left = app.left { scheduleExpiry(at: left + Self.grace) }
    apps[key] = app
    return true
  }

  private mutating func restoreClient(_ line: JSONDocument, _ value: JSONIndex) -> Bool {
    guard let key = line.appKey(value), let conn = line.integer("conn", of: value),
      apps[key] != nil, clients[conn] == nil
    else { return false }
    let isReader = line.string("role", of: value) == "reader"
    clients[conn] = KnownClient(app: key, isReader: isReader)
    if let rank = line.integer("listening", of: value) {
      reader.restoreListener(conn, rank: rank, of: key.uid)
    }
    apps[key]?.connections += 1
    return true
  }

  private mutating func restoreWindow(_ line: JSONDocument, _ value: JSONIndex) -> Bool {
    guard let place = line.windowPlace(value), let arrival = line.integer("arrival", of: value),
      let state = line.string("state", of: value).flatMap(KnownWindow.State.init(rawValue:)),
      apps[place.app] != nil
    else { return false }
    var window = KnownWindow(arrival: arrival)
    window.state = state
    window.title = line.string("title", of: value)
    window.focus = line.name("focus", of: value)
    window.cameFrom = line.member("came_from", of: value).flatMap { line.placeOfFocus($0) }
    if let list = line.list("covers", of: value) {
      var item = list + 1
      while item < line.end(list) {
        window.covers.append(line.cover(item))
        item = line.end(item)
      }
    }
    if let list = line.list("dismissed", of: value) {
      var item = list + 1
      while item < line.end(list) {
        if let name = line.name(item) { window.dismissed.append(name) }
        item = line.end(item)
      }
    }
    apps[place.app]?.windows[place.window] = window
    weigh(place.app, place.window.text.utf8.count + window.bytes)
    return true
  }

  private mutating func restoreElements(_ line: JSONDocument, _ value: JSONIndex) -> Bool {
    guard let place = line.windowPlace(value), let list = line.list("list", of: value),
      apps[place.app]?.windows[place.window] != nil
    else { return false }
    let before = apps[place.app]?.windows[place.window]?.bytes ?? 0
    apps[place.app]?.windows[place.window]?.tree.restoreElements(list, of: line)
    weigh(place.app, (apps[place.app]?.windows[place.window]?.bytes ?? 0) - before)
    return true
  }
}

extension Tree {
  fileprivate mutating func restoreElements(_ list: JSONIndex, of line: JSONDocument) {
    var scratch = ByteBuffer(capacity: 512)
    var item = list + 1
    while item < line.end(list) {
      if let id = line.name("id", of: item) {
        put(id, KnownElement(item, of: line, &scratch), below: line.parent(of: item), at: nil)
      }
      item = line.end(item)
    }
  }
}

extension JSONDocument {
  fileprivate func cover(_ value: JSONIndex) -> KnownWindow.Cover {
    var cover = KnownWindow.Cover(
      element: name("element", of: value),
      at: integer("at", of: value) ?? 0,
      returnTo: nil,
      isByEvent: member("by_event", of: value).map { kind($0) == .yes } ?? false
    )
    cover.returnTo = member("return_to", of: value).flatMap { placeOfFocus($0) }
    return cover
  }

  fileprivate func placeOfFocus(_ value: JSONIndex) -> KnownWindow.Return? {
    guard let place = windowPlace(value), let element = name("element", of: value) else {
      return nil
    }
    return KnownWindow.Return(place: place, element: element)
  }

  /// The places in a list, none where there is no list; nil where one of them is no place.
  fileprivate func windowPlaces(_ name: StaticString, of object: JSONIndex) -> [WindowPlace]? {
    var places: [WindowPlace] = []
    guard let list = list(name, of: object) else { return places }
    var item = list + 1
    while item < end(list) {
      guard let place = windowPlace(item) else { return nil }
      places.append(place)
      item = end(item)
    }
    return places
  }

  fileprivate func windowPlace(_ object: JSONIndex) -> WindowPlace? {
    guard let key = appKey(object), let window = name("window", of: object) else { return nil }
    return WindowPlace(app: key, window: window)
  }
}
