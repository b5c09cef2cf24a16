// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yWire

/// The windows and elements that the app has shown, for a bus that has forgotten them.
///
/// A bus that was away too long, has lost entries, or begins with an empty log knows nothing of an
/// app's windows, and only the app can tell. Accepted events are folded here as the bus folds them,
/// and so are events posted while the bus was away. The bounds are therefore the bus's own: as many
/// windows and elements, and texts as long.
struct Shown {
  /// The key of the one app that this knows of.
  private static let app = AppKey(uid: 0, app: Name("app"))

  private var model = Model()
  private var sensitive = Retelling.Sensitive()
  /// The last report of the toolkit's focus, with its window.
  private var focus: (window: Name?, event: String)?
  /// Windows that have changed, and perhaps closed, while the bus was away.
  private(set) var untold: Set<Name> = []

  /// Whether the bus has nothing to be told of.
  var isEmpty: Bool { model.windowSights.isEmpty && untold.isEmpty }

  private var windows: [Name] { model.windowSights.map(\.window) }

  /// Whether events of this type change windows, elements or the focus.
  static func concerns(_ type: String?) -> Bool {
    guard let type = type.flatMap(EventType.init(rawValue:)) else { return false }
    return type == .focusChanged || type.has(.changesModel)
  }

  /// Whether such an event holds whenever it comes, and may come twice.
  static func isLasting(_ type: String?) -> Bool {
    type == EventType.elements.rawValue || type == EventType.window.rawValue
  }

  // MARK: Folding

  /// Folds an event that the bus has accepted.
  mutating func fold(_ event: String) { _ = fold(event, isTold: true) }

  /// Folds an event that the bus will be told of later; false where the bus would not accept it.
  mutating func foldUntold(_ event: String) -> Bool { fold(event, isTold: false) }

  private mutating func fold(_ event: String, isTold: Bool) -> Bool {
    let reader = JSONReader(limit: event.utf8.count)
    guard (try? reader.read(Array(event.utf8).span)) != nil else { return false }
    let line = reader.document
    guard let type = line.string("type", of: line.root).flatMap(EventType.init(rawValue:)) else {
      return false
    }
    let window = line.name("window", of: line.root)
    if type == .focusChanged {
      focus = (window, event)
      return true
    }
    if !isTold, let window {
      guard model.overflow(of: line.root, type, in: line, from: Self.app, quotas: Quotas()) == nil
      else { return false }
      untold.insert(window)
    }
    let head = EntryHead(seq: Seq(1), mono: 0, app: Self.app, conn: 1)
    model.apply(head, type, line.root, of: line)
    if let window { noteSensitive(type, line, window) }
    // Freeing all at once is fine here; only the bus must not pause for it.
    while model.hasDeferredFree { model.freeDeferred() }
    return true
  }

  private mutating func noteSensitive(_ type: EventType, _ line: JSONDocument, _ window: Name) {
    let flag = line.member("sensitive", of: line.root)
    let isSensitive = flag.map { line.kind($0) == .yes } ?? false
    if line.member("title", of: line.root) != nil {
      if isSensitive { sensitive.titles.insert(window) } else { sensitive.titles.remove(window) }
    }
    if line.member("replace", of: line.root) != nil { sensitive.elements[window] = nil }
    if isSensitive {
      for field in ["replace", "upsert"] as [StaticString] {
        sensitive.elements[window, default: []].formUnion(line.ids(in: field))
      }
    }
    guard let secret = sensitive.elements[window] else { return }
    sensitive.elements[window] = secret.filter { element in
      model.sight(of: Model.Spot(app: Self.app, window: window, element: element)) != nil
    }
  }

  // MARK: Telling

  /// Everything, for a bus that may know nothing.
  func everything() -> Telling { telling(windows) }

  /// Everything that a bus lacks which knows these windows of the app.
  func missing(from known: Set<String>) -> Telling {
    telling(windows.filter { untold.contains($0) || !known.contains($0.text) })
  }

  /// Marks all windows as told: they are on their way to the bus.
  mutating func forgetUntold() { untold = [] }

  private func telling(_ windows: [Name]) -> Telling {
    let there = Set(self.windows)
    let gone = untold.filter { !there.contains($0) }.map(\.text).sorted()
    var report: String?
    if let focus, let active = model.activeWindow(of: Self.app), windows.contains(active),
      focus.window == nil || focus.window == active
    {
      report = focus.event
    }
    return Telling(
      retelling: Retelling(model, of: Self.app, windows: windows, sensitive: sensitive),
      gone: gone,
      focus: report
    )
  }

  /// Events that tell a bus of the app's windows, one after the other.
  struct Telling {
    fileprivate var retelling: Retelling
    /// Windows that the bus may still take to be there.
    fileprivate var gone: [String]
    fileprivate var focus: String?

    /// Appends the next event as JSON; false when none is left.
    mutating func appendNext(to out: inout ByteBuffer) -> Bool {
      if let window = gone.popLast() {
        out.append(text: Event.window(window, .closed).json)
        return true
      }
      if retelling.writeNext(into: &out) { return true }
      guard let report = focus.take() else { return false }
      out.append(text: report)
      return true
    }
  }
}

extension JSONDocument {
  /// The ids of the elements that a list of the event gives.
  fileprivate func ids(in field: StaticString) -> [Name] {
    guard let list = member(field, of: root), kind(list) == .list else { return [] }
    var ids: [Name] = []
    var item = list + 1
    while item < end(list) {
      if let id = name("id", of: item) { ids.append(id) }
      item = end(item)
    }
    return ids
  }
}
