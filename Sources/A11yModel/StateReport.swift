// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

// The state as clients are told of it.
extension Model {
  /// Appends the state as the protocol has it: the model right after the entry that `cursor` names.
  ///
  /// A client that may not see all is shown its own windows, and the focus if it is there.
  /// `pending` appends the list of items that wait to be spoken, which the model does not know.
  public func writeState(
    cursor: Cursor,
    only confinement: Confinement?,
    into out: inout ByteBuffer,
    pending: (inout ByteBuffer) -> Void
  ) {
    out.object { out in
      out.append(member: "cursor", cursor.text)
      out.append(member: "focus")
      writeFocus(
        focus.flatMap { confinement?.admits($0.place.app) ?? true ? $0 : nil },
        only: confinement,
        into: &out
      )
      let shown = windows.filter { confinement?.admits($0.0.app) ?? true }
      out.array("windows", of: shown) { writeWindow($1.1, at: $1.0, into: &$0) }
      out.object("reader") {
        $0.append(member: "running", reader.isRunning)
        $0.appendText("name", orNull: reader.status?.name)
        $0.append(member: "conn")
        if let conn = reader.owner { $0.append(decimal: conn) } else { $0.append("null") }
      }
      out.append(member: "do_not_disturb", doNotDisturb)
      out.append(member: "pending")
      pending(&out)
    }
  }

  /// All windows, in the order of arrival.
  private var windows: [(WindowPlace, KnownWindow)] {
    apps.flatMap { key, app in
      app.windows.map { (WindowPlace(app: key, window: $0.key), $0.value) }
    }
    .sorted { $0.1.arrival < $1.1.arrival }
  }

  private func writeFocus(
    _ focus: Focus?,
    only confinement: Confinement?,
    into out: inout ByteBuffer
  ) {
    guard let focus else {
      out.append("null")
      return
    }
    out.object { out in
      out.append(member: "seq", focus.seq.number)
      out.append(member: "app", focus.place.app.app.text)
      out.append(member: "window", focus.place.window.text)
      out.append(member: "element", focus.element.text)
      out.append(member: "suggestion")
      if let suggestion, confinement?.admits(suggestion.place.app) ?? true {
        out.appendSuggestion(suggestion)
      } else {
        out.append("null")
      }
    }
  }

  private func writeWindow(_ window: KnownWindow, at place: WindowPlace, into out: inout ByteBuffer)
  {
    out.object {
      $0.append(member: "app", place.app.app.text)
      $0.append(member: "window", place.window.text)
      $0.append(member: "state", window.state.rawValue)
      $0.appendText("title", orNull: window.title)
      $0.append(member: "modal", window.isModal)
      $0.appendText("focus", orNull: window.focus?.text)
    }
  }
}

extension ByteBuffer {
  fileprivate mutating func appendSuggestion(_ suggestion: Suggestion) {
    object {
      $0.append(member: "seq", suggestion.seq.number)
      $0.append(member: "app", suggestion.place.app.app.text)
      $0.append(member: "window", suggestion.place.window.text)
      $0.append(member: "element", suggestion.element.text)
      $0.append(member: "reason", suggestion.reason)
    }
  }

  fileprivate mutating func appendText(_ name: StaticString, orNull text: String?) {
    append(member: name)
    if let text { append(json: text) } else { append("null") }
  }
}

// Rebuilds as much of a model as a client is told of it.
extension Model {
  /// The user of all windows of a state, which does not name their users; nobody has this number.
  private static var nobody: UInt32 { .max }

  /// Replaces the model by a state that `writeState` has written.
  public mutating func rebuild(from line: JSONDocument, _ state: JSONIndex) {
    self = Model()
    doNotDisturb = line.integer("do_not_disturb", of: state) ?? 0
    if let list = line.list("windows", of: state) {
      var item = list + 1
      while item < line.end(list) {
        rebuildWindow(item, line)
        item = line.end(item)
      }
    }
    if let value = line.member("focus", of: state), let place = windowPlace(value, line),
      let seq = line.seq("seq", of: value), let element = line.name("element", of: value)
    {
      focus = Focus(seq: seq, place: place, element: element)
      suggestion = line.member("suggestion", of: value).flatMap { suggestion($0, line) }
    }
    rebuildReader(line, state)
  }

  private func suggestion(_ value: JSONIndex, _ line: JSONDocument) -> Suggestion? {
    guard let place = windowPlace(value, line), let seq = line.seq("seq", of: value),
      let element = line.name("element", of: value)
    else { return nil }
    let spot = Spot(app: place.app, window: place.window, element: element)
    return Suggestion(seq: seq, spot: spot, reason: line.string("reason", of: value) ?? "")
  }

  private mutating func rebuildReader(_ line: JSONDocument, _ state: JSONIndex) {
    guard let value = line.member("reader", of: state),
      let running = line.member("running", of: value)
    else { return }
    let conn = line.integer("conn", of: value)
    // The state does not tell its rank.
    if let conn {
      reader.restoreListener(conn, rank: Reader.Listener.usual, of: Self.nobody)
    }
    reader.status = Reader.Status(
      isRunning: line.kind(running) == .yes,
      name: line.string("name", of: value),
      conn: conn ?? 0
    )
  }

  private func windowPlace(_ value: JSONIndex, _ line: JSONDocument) -> WindowPlace? {
    guard let app = line.name("app", of: value), let window = line.name("window", of: value) else {
      return nil
    }
    return WindowPlace(app: AppKey(uid: Self.nobody, app: app), window: window)
  }

  private mutating func rebuildWindow(_ value: JSONIndex, _ line: JSONDocument) {
    guard let place = windowPlace(value, line) else { return }
    if apps[place.app] == nil {
      arrivals += 1
      apps[place.app] = KnownApp(arrival: arrivals)
    }
    arrivals += 1
    var window = KnownWindow(arrival: arrivals)
    window.state =
      line.string("state", of: value).flatMap(KnownWindow.State.init(rawValue:)) ?? .opened
    window.title = line.string("title", of: value)
    if let modal = line.member("modal", of: value), line.kind(modal) == .yes {
      let cover = KnownWindow.Cover(element: nil, at: arrivals, returnTo: nil, isByEvent: true)
      window.covers = [cover]
    }
    window.focus = line.name("focus", of: value)
    if window.state == .active { active = place }
    apps[place.app]?.windows[place.window] = window
    weigh(place.app, place.window.text.utf8.count + window.bytes)
  }

  /// Gives an app its user, once that is known: the windows that a state has under this name are
  /// its.
  public mutating func adopt(_ key: AppKey) {
    let stranger = AppKey(uid: Self.nobody, app: key.app)
    guard apps[key] == nil, let app = apps.removeValue(forKey: stranger) else { return }
    apps[key] = app
    apps[key]?.bytes = 0
    shares[stranger.uid] = (shares[stranger.uid] ?? 0) - app.bytes
    bytes -= app.bytes
    weigh(key, app.bytes)
    if let place = active, place.app == stranger {
      active = WindowPlace(app: key, window: place.window)
    }
    if let old = focus, old.place.app == stranger {
      let place = WindowPlace(app: key, window: old.place.window)
      focus = Focus(seq: old.seq, place: place, element: old.element)
    }
    if let old = suggestion, old.place.app == stranger {
      let spot = Spot(app: key, window: old.place.window, element: old.element)
      suggestion = Suggestion(seq: old.seq, spot: spot, reason: old.reason)
    }
  }
}
