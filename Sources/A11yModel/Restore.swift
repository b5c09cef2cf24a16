// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

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
    if let list = line.list("claims", of: session) {
      var item = list + 1
      while item < line.end(list) {
        guard let place = line.windowPlace(item) else { return false }
        claim(place)
        item = line.end(item)
      }
    }
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
    if let rank = line.integer("listening", of: value) { reader.restoreListener(conn, rank: rank) }
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

  fileprivate func windowPlace(_ object: JSONIndex) -> WindowPlace? {
    guard let key = appKey(object), let window = name("window", of: object) else { return nil }
    return WindowPlace(app: key, window: window)
  }
}
