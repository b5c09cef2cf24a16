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

  /// Releasing one crumb of a tree costs about as much as writing so many bytes.
  private static let crumbling = 16_384

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
        if windows[index].window.tree.crumble() { next = .window(index + 1, app: app) }
        spent += Self.crumbling
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
      model.seat.write(into: &out)
      if !model.claims.isEmpty {
        out.array("claims") { out in
          for place in model.claims { out.nextObject { $0.appendMembers(of: place) } }
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
