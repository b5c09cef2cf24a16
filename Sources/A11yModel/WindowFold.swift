// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

// Applies the events with which apps tell of their windows and elements.
extension Model {
  /// The bound that an event would exceed if it were applied, if any.
  public func overflow(
    of event: JSONIndex,
    _ type: EventType,
    in entry: JSONDocument,
    from key: AppKey,
    quotas: Quotas
  ) -> Overflow? {
    guard entry.opensWindow(event, type), let window = entry.name("window", of: event) else {
      return nil
    }
    let app = apps[key]
    let known = app?.windows[window]
    if known == nil, (app?.windows.count ?? 0) >= Limits.windowsPerApp { return .windows }
    let room = min(
      quotas.elementBytesPerApp - bytes(of: key),
      quotas.elementBytesPerUser - bytes(of: key.uid)
    )
    // A line brings no more bytes than it has, so that its growth is counted only where room is
    // scarce.
    if room < Limits.lineBytes {
      let more =
        growth(of: event, type, in: entry, known) + (known == nil ? window.text.utf8.count : 0)
      if more > 0, more > quotas.elementBytesPerApp - bytes(of: key) { return .bytes }
      if more > 0, more > room { return .userBytes }
    }
    return type == .elements ? elementOverflow(of: event, in: entry, app, known) : nil
  }

  /// Whether an event would exceed the number of elements.
  private func elementOverflow(
    of event: JSONIndex,
    in entry: JSONDocument,
    _ app: KnownApp?,
    _ known: KnownWindow?
  ) -> Overflow? {
    let replaced = entry.list("replace", of: event)
    let upserted = entry.list("upsert", of: event)
    var room = Limits.elementsPerApp - (app?.elementCount ?? 0)
    if replaced != nil { room += known?.tree.count ?? 0 }
    let tree = replaced == nil ? known?.tree : nil
    // Most lists would fit even if all their elements were new.
    let most = (replaced.map { entry.count($0) } ?? 0) + (upserted.map { entry.count($0) } ?? 0)
    guard most > room else { return nil }
    var fresh: Set<Name> = []
    for (field, list) in [("replace", replaced), ("upsert", upserted)] as [(StaticString, Int?)] {
      guard let list else { continue }
      var item = list + 1
      while item < entry.end(list) {
        if let id = entry.name("id", of: item), tree?.contains(id) != true { fresh.insert(id) }
        item = entry.end(item)
      }
      if fresh.count > room { return .elements(field) }
    }
    return nil
  }

  mutating func applyWindow(_ entry: JSONDocument, _ event: JSONIndex, _ key: AppKey) {
    guard let id = entry.name("window", of: event) else { return }
    let place = WindowPlace(app: key, window: id)
    let state = entry.string("state", of: event)
    claims.removeAll { $0 == place }
    if state == "closed" {
      locks.removeAll { $0 == place }
      removeWindow(id, of: key)
      if active == place { active = nil }
      dropSuggestion(in: id, of: key)
      return
    }
    addWindow(place)
    let before = apps[key]?.windows[id]?.bytes ?? 0
    defer { weigh(key, (apps[key]?.windows[id]?.bytes ?? 0) - before) }
    if let state = state.flatMap(KnownWindow.State.init(rawValue:)) {
      let isAway = state == .active && !seat.admits(key.uid)
      if isAway { claim(place) }
      setState(isAway ? .inactive : state, of: place)
      tendCovers(of: place)
    }
    if let title = entry.string("title", of: event) {
      apps[key]?.windows[id]?.title = title
    } else if entry.member("redacted", of: event) != nil {
      // The new title was withheld from the log.
      apps[key]?.windows[id]?.title = nil
    }
    if let lock = entry.member("lock", of: event) {
      setLock(place, entry.kind(lock) == .yes)
    }
    if let modal = entry.member("modal", of: event) {
      if entry.kind(modal) == .yes { cover(place, by: nil) } else { uncover(place) }
    }
  }

  /// Sets the state of a window; the last one that became active is the only active one.
  mutating func setState(_ state: KnownWindow.State, of place: WindowPlace) {
    if state == .active, let old = active, old != place {
      apps[old.app]?.windows[old.window]?.state = .inactive
    }
    if state == .active, active != place, let focus, focus.place.app == place.app,
      focus.place != place
    {
      apps[place.app]?.windows[place.window]?.cameFrom = KnownWindow.Return(
        place: focus.place,
        element: focus.element
      )
    }
    if state == .active { active = place } else if active == place { active = nil }
    apps[place.app]?.windows[place.window]?.state = state
  }

  /// Applies a new screen: a modal one makes its window, or an element there, a cover; any other
  /// ends the covers of its window.
  mutating func applyScreen(_ entry: JSONDocument, _ event: JSONIndex, _ key: AppKey) {
    let shown = entry.name("window", of: event)
    if let window = shown ?? window(with: entry.name("element", of: event), app: key) {
      dropSuggestion(in: window, of: key)
    }
    guard let id = entry.name("window", of: event) else { return }
    if entry.opensWindow(event, .screenChanged) {
      addWindow(WindowPlace(app: key, window: id))
      let tree = apps[key]?.windows[id]?.tree
      let slot = entry.name("element", of: event).flatMap { tree?.find($0) }
      var steps = Steps()
      let cover = slot.flatMap { tree?.modal(around: $0, &steps) }
      self.cover(WindowPlace(app: key, window: id), by: cover.flatMap { tree?.name($0) })
    } else {
      uncover(WindowPlace(app: key, window: id))
    }
  }

  /// Applies `replace`, then `upsert`, then `remove`.
  mutating func applyElements(_ entry: JSONDocument, _ event: JSONIndex, _ key: AppKey) {
    guard let id = entry.name("window", of: event) else { return }
    if entry.opensWindow(event, .elements) { addWindow(WindowPlace(app: key, window: id)) }
    let before = apps[key]?.windows[id]?.bytes ?? 0
    let wasSuggestible = suggestion.map { exists($0.spot) } ?? false
    var scratch = ByteBuffer(capacity: 512)
    let flag = entry.member("sensitive", of: event)
    let isSensitive = flag.map { entry.kind($0) == .yes } ?? false
    if let list = entry.list("replace", of: event) {
      if let tree = apps[key]?.windows[id]?.tree { deferredFree.add(tree) }
      apps[key]?.windows[id]?.tree.replaceAll(list, of: entry, isSensitive: isSensitive, &scratch)
    }
    if let list = entry.list("upsert", of: event) {
      apps[key]?.windows[id]?.tree.mergeAll(list, of: entry, isSensitive: isSensitive, &scratch)
    }
    if let list = entry.list("remove", of: event) {
      apps[key]?.windows[id]?.tree.removeAll(list, of: entry)
    }
    weigh(key, (apps[key]?.windows[id]?.bytes ?? 0) - before)
    queueLitter(WindowPlace(app: key, window: id))
    tendCovers(of: WindowPlace(app: key, window: id))
    reviewSuggestion(wasThere: wasSuggestible)
  }

  /// Adds a window that is not there yet.
  private mutating func addWindow(_ place: WindowPlace) {
    guard apps[place.app]?.windows[place.window] == nil else { return }
    arrivals += 1
    apps[place.app]?.windows[place.window] = KnownWindow(arrival: arrivals)
    weigh(place.app, place.window.text.utf8.count)
  }
}

extension Tree {
  mutating func replaceAll(
    _ list: JSONIndex,
    of line: JSONDocument,
    isSensitive: Bool,
    _ scratch: inout ByteBuffer
  ) {
    let old = self
    self = Tree(replacements: old.replacements &+ 1)
    var item = list + 1
    while item < line.end(list) {
      if let id = line.name("id", of: item) {
        let slot = find(id)
        let known = slot.flatMap { element($0) } ?? old[id]?.remainder ?? KnownElement()
        mergeElement(item, id, in: slot, known, of: line, isSensitive: isSensitive, &scratch)
      }
      item = line.end(item)
    }
  }

  mutating func mergeAll(
    _ list: JSONIndex,
    of line: JSONDocument,
    isSensitive: Bool,
    _ scratch: inout ByteBuffer
  ) {
    sweep(before: line.count(list))
    var item = list + 1
    while item < line.end(list) {
      if let id = line.name("id", of: item) {
        let slot = find(id)
        let known = slot.flatMap { element($0) } ?? KnownElement()
        mergeElement(item, id, in: slot, known, of: line, isSensitive: isSensitive, &scratch)
      }
      item = line.end(item)
    }
  }

  private mutating func mergeElement(
    _ object: JSONIndex,
    _ id: Name,
    in slot: Tree.Slot?,
    _ known: KnownElement,
    of line: JSONDocument,
    isSensitive: Bool,
    _ scratch: inout ByteBuffer
  ) {
    var element = known
    element.merge(object, of: line, isSensitive: isSensitive, &scratch)
    let index = line.integer("index", of: object).map { Int(max(0, min($0, Int64(Int32.max)))) }
    put(id, in: slot, element, below: line.parent(of: object), at: index)
  }

  mutating func removeAll(_ list: JSONIndex, of line: JSONDocument) {
    var item = list + 1
    while item < line.end(list) {
      if let id = line.name(item) { remove(id) }
      item = line.end(item)
    }
  }
}

extension JSONDocument {
  /// Whether an event adds a window that is not there yet.
  fileprivate func opensWindow(_ event: JSONIndex, _ type: EventType) -> Bool {
    switch type {
    case .window: string("state", of: event) != "closed"
    case .elements: list("upsert", of: event) != nil || list("replace", of: event) != nil
    case .screenChanged: member("modal", of: event).map { kind($0) == .yes } ?? false
    default: false
    }
  }

  func list(_ name: StaticString, of object: JSONIndex) -> JSONIndex? {
    guard let value = member(name, of: object), kind(value) == .list else { return nil }
    return value
  }

  /// The parent that an element's object names.
  func parent(of object: JSONIndex) -> Tree.Parent {
    guard let value = member("parent", of: object) else { return .asBefore }
    return name(value).map { .element($0) } ?? .root
  }
}

// Covers: a window, or an element in one, that covers the rest of its app. An event makes one, or
// the element says so itself while it is shown in the window that the user works in.
extension Model {
  /// Makes a window, or an element in it, a cover, as an event says.
  mutating func cover(_ place: WindowPlace, by element: Name?) {
    guard var window = apps[place.app]?.windows[place.window] else { return }
    if let known = window.covers.firstIndex(where: { $0.element == element }) {
      window.covers[known].isByEvent = true
    } else {
      var back = focus.map { KnownWindow.Return(place: $0.place, element: $0.element) }
      // The focus may be in the window already; then it returns to where the user came from.
      if element == nil, back == nil || back?.place == place { back = window.cameFrom ?? back }
      addCover(element, to: &window, back, isByEvent: true)
    }
    window.dismissed.removeAll { $0 == element }
    apps[place.app]?.windows[place.window] = window
  }

  /// Ends the covers made by events; an element that still calls itself one is not asked again.
  mutating func uncover(_ place: WindowPlace) {
    guard let window = apps[place.app]?.windows[place.window], window.isModal else { return }
    let shown = window.tree.shownModals
    let ended = window.covers.filter(\.isByEvent).compactMap(\.element).filter(shown.contains)
    apps[place.app]?.windows[place.window]?.covers.removeAll(where: \.isByEvent)
    apps[place.app]?.windows[place.window]?.dismissed += ended
  }

  /// Adds and removes covers after a change of a window's elements.
  mutating func tendCovers(of place: WindowPlace) {
    guard var window = apps[place.app]?.windows[place.window],
      !window.tree.modals.isEmpty || window.isModal || !window.dismissed.isEmpty
    else { return }
    let shown = window.tree.shownModals
    let tree = window.tree
    func isGone(_ cover: KnownWindow.Cover) -> Bool {
      guard let element = cover.element else { return false }
      return cover.isByEvent ? !(tree[element]?.isModal ?? false) : !shown.contains(element)
    }
    // A cover that takes the place of another returns to where that one would have.
    var back = window.covers.first(where: isGone)?.returnTo
    window.covers.removeAll(where: isGone)
    window.dismissed.removeAll { !shown.contains($0) }
    if active == place {
      for element in shown
      where !window.dismissed.contains(element)
        && !window.covers.contains(where: { $0.element == element })
      {
        addCover(element, to: &window, back ?? spotOfFocus(in: place, window), isByEvent: false)
        back = nil
      }
    }
    apps[place.app]?.windows[place.window] = window
  }

  private mutating func addCover(
    _ element: Name?,
    to window: inout KnownWindow,
    _ back: KnownWindow.Return?,
    isByEvent: Bool
  ) {
    arrivals += 1
    let cover = KnownWindow.Cover(
      element: element,
      at: arrivals,
      returnTo: back,
      isByEvent: isByEvent
    )
    window.covers.append(cover)
    if window.covers.count > KnownWindow.mostCovers { window.covers.removeFirst() }
  }

  /// The place of the focus in a window, or its last one there if it is elsewhere.
  private func spotOfFocus(in place: WindowPlace, _ window: KnownWindow) -> KnownWindow.Return? {
    if let focus, focus.place == place {
      return KnownWindow.Return(place: place, element: focus.element)
    }
    return window.focus.map { KnownWindow.Return(place: place, element: $0) }
  }
}
