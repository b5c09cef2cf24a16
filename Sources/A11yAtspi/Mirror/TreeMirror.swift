// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yClient

/// The elements of the active window, so that readers can move through a foreign program.
///
/// Objects are looked at level by level, a few at a time. When all are known, or a bound is
/// reached, they become the elements of the window; later changes are looked at where they are
/// told.
package struct TreeMirror {
  /// A deed for the process.
  package enum Act: Equatable {
    case look(SourceObject)
    /// Ask for the object around an object that has come without its program's word.
    case trace(SourceObject)
    case post(Event, of: String)
  }

  /// The window; nil while none is active.
  package private(set) var window: SourceObject?
  /// Objects that were left out because a bound was reached.
  package private(set) var omitted = 0

  private struct Place {
    var parent: SourceObject?
    var index: Int
    var depth: Int
    var node: MirrorNode?
    /// Whether the bus has it as an element.
    var isTold = false
  }

  private var places: [SourceObject: Place] = [:]
  private var names: [String: SourceObject] = [:]
  private var ahead: [SourceObject] = []
  private var next = 0
  private var asked: Set<SourceObject> = []
  /// Objects that have changed while they were being looked at.
  private var again: Set<SourceObject> = []
  private var changed: Set<SourceObject> = []
  private var gone: [String] = []
  private var bytes = 0
  /// The object around which a known one is looked for, and the steps so far.
  private var traced: (source: SourceObject, steps: Int)?
  private var isTold = false
  private var acts: [Act] = []
  /// The time by which the window is told, as far as it is known then.
  package private(set) var due: Int64?

  /// Elements of a window; a long page has as many.
  static let mostElements = 2_000
  static let mostDepth = 48
  /// Bytes of texts of a window.
  static let mostBytes = 1_048_576
  /// Objects that the program is asked about at a time.
  static let mostAsked = 8
  /// The time after which a window is told as far as it is known.
  static let patience: Int64 = 2_000_000
  /// The time in which changes are gathered.
  static let gathering: Int64 = 50_000
  /// Bytes of elements in one line.
  private static let lineBytes = 32_768

  package init() {}

  package mutating func takeActs() -> [Act] {
    defer { acts = [] }
    return acts
  }

  /// The object behind an element of the window.
  package func object(of element: String) -> SourceObject? { names[element] }

  // MARK: The window

  /// Begins with a window that is active now.
  package mutating func open(_ window: SourceObject, at now: Int64) {
    guard self.window != window else { return }
    self = TreeMirror(continuing: acts)
    self.window = window
    due = now + Self.patience
    include(window, below: nil, at: 0, depth: 0)
    proceed(at: now)
  }

  /// Ends with the window; its elements stay until it comes back or closes.
  package mutating func abandon() { self = TreeMirror(continuing: acts) }

  private init(continuing acts: [Act]) { self.acts = acts }

  /// Takes a change that a program has told.
  package mutating func hear(_ signal: AtspiSignal, at now: Int64) {
    guard let window, signal.source.sender == window.sender else { return }
    switch signal.news {
    case .childrenChanged, .renamed, .described, .valueChanged, .state, .shown:
      if places[signal.source] != nil { lookAgain(at: signal.source, at: now) }
    case .focused, .loaded:
      // Browsers do not tell that a page has come into their window.
      if places[signal.source] == nil { trace(signal.source, steps: 0) }
    default: break
    }
  }

  private mutating func lookAgain(at source: SourceObject, at now: Int64) {
    if asked.contains(source) {
      again.insert(source)
    } else if places[source]?.node != nil, ahead.count - next < Self.mostElements {
      ahead.append(source)
      proceed(at: now)
    }
  }

  private mutating func trace(_ source: SourceObject, steps: Int) {
    traced = (source, steps)
    acts.append(.trace(source))
  }

  /// Takes the object around one that was traced: a known one has changed, from others it goes on.
  package mutating func learnParent(
    _ parent: SourceObject?,
    of source: SourceObject,
    at now: Int64
  ) {
    guard let trace = traced, trace.source == source else { return }
    traced = nil
    guard let parent else { return }
    if places[parent] != nil { return lookAgain(at: parent, at: now) }
    if trace.steps < Self.mostDepth { self.trace(parent, steps: trace.steps + 1) }
  }

  // MARK: Looking

  private mutating func include(
    _ source: SourceObject,
    below parent: SourceObject?,
    at index: Int,
    depth: Int
  ) {
    guard places.count < Self.mostElements, depth < Self.mostDepth, bytes < Self.mostBytes else {
      return omitted += 1
    }
    places[source] = Place(parent: parent, index: index, depth: depth)
    names[source.element] = source
    ahead.append(source)
  }

  private mutating func proceed(at now: Int64) {
    while asked.count < Self.mostAsked, next < ahead.count {
      let source = ahead[next]
      next += 1
      guard places[source] != nil, asked.insert(source).inserted else { continue }
      acts.append(.look(source))
    }
    if next == ahead.count { (ahead, next) = ([], 0) }
    if isTold {
      due = changed.isEmpty && gone.isEmpty ? nil : due ?? now + Self.gathering
    } else if asked.isEmpty, ahead.isEmpty {
      tellWindow()
    }
  }

  /// Takes what a program has told of an object; nil where it has not.
  package mutating func learn(_ source: SourceObject, _ node: MirrorNode?, at now: Int64) {
    guard asked.remove(source) != nil else { return }
    defer { proceed(at: now) }
    guard var place = places[source] else { return }
    if again.remove(source) != nil { ahead.append(source) }
    guard var node else { return }
    // Objects in one that cannot be seen are looked at when it shows, and the words of a control
    // are its name.
    if !node.isShown && source != window || node.isWhole { node.children = [] }
    node.children.removeAll { $0 == source || $0 == window }
    let before = place.node
    bytes += node.bytes - (before?.bytes ?? 0)
    place.node = node
    places[source] = place
    if before != node { changed.insert(source) }
    let title = node.control.facts.name
    if source == window, let before, before.control.facts.name != title {
      acts.append(.post(.window(source.element, title: title), of: source.sender))
    }
    if !node.isShown, place.isTold {
      places[source]?.isTold = false
      gone.append(source.element)
    }
    for child in Set(before?.children ?? []).subtracting(node.children) {
      // The bus removes what is within an element together with it.
      remove(child, isTelling: node.isShown)
    }
    for (index, child) in node.children.enumerated() {
      if places[child] == nil {
        include(child, below: source, at: index, depth: place.depth + 1)
      } else if places[child]?.parent == source, places[child]?.index != index {
        places[child]?.index = index
        if places[child]?.node != nil { changed.insert(child) }
      }
    }
  }

  /// Forgets an object with everything in it.
  private mutating func remove(_ source: SourceObject, isTelling: Bool) {
    var left = [source]
    while let last = left.popLast() {
      guard let place = places.removeValue(forKey: last) else { continue }
      names[last.element] = nil
      changed.remove(last)
      bytes -= place.node?.bytes ?? 0
      if place.isTold, last == source, isTelling { gone.append(last.element) }
      left += place.node?.children ?? []
    }
  }

  // MARK: Telling

  /// Tells what is due: the window so far, or the changes since then.
  package mutating func catchUp(at now: Int64) {
    guard let due, due <= now else { return }
    self.due = nil
    if isTold { tellChanges() } else { tellWindow() }
  }

  private mutating func tellWindow() {
    guard let window else { return }
    (isTold, due, gone) = (true, nil, [])
    let all = elements(of: Set(places.keys))
    changed = []
    var isFirst = true
    for line in Self.portions(all) {
      let event =
        isFirst
        ? Event.elements(window: window.element, replace: line)
        : Event.elements(window: window.element, upsert: line)
      acts.append(.post(event, of: window.sender))
      isFirst = false
    }
  }

  private mutating func tellChanges() {
    guard let window else { return }
    if !gone.isEmpty {
      let event = Event.elements(window: window.element, remove: gone)
      acts.append(.post(event, of: window.sender))
      gone = []
    }
    let elements = elements(of: changed)
    changed = []
    for line in Self.portions(elements) {
      acts.append(.post(.elements(window: window.element, upsert: line), of: window.sender))
    }
  }

  /// The elements for objects, those around others first.
  private mutating func elements(of sources: Set<SourceObject>) -> [(AppElement, bytes: Int)] {
    let known = sources.compactMap { source -> (SourceObject, Place, MirrorNode)? in
      // The window itself is no element, and neither is anything that cannot be seen.
      guard source != window, let place = places[source], let node = place.node, node.isShown
      else { return nil }
      return (source, place, node)
    }
    let ordered = known.sorted { ($0.1.depth, $0.1.index) < ($1.1.depth, $1.1.index) }
    return ordered.map { source, place, node in
      places[source]?.isTold = true
      let element = node.element(
        source,
        parent: place.parent == window ? nil : place.parent,
        index: place.index,
        isKnown: place.isTold
      )
      return (element, node.bytes)
    }
  }

  /// Elements in portions that are no longer than a line of the bus.
  private static func portions(_ elements: [(AppElement, bytes: Int)]) -> [[AppElement]] {
    var portions: [[AppElement]] = []
    var room = 0
    for (element, bytes) in elements {
      if bytes > room {
        portions.append([])
        room = lineBytes
      }
      portions[portions.count - 1].append(element)
      room -= bytes
    }
    return portions
  }
}

/// An object of a window, as its program has told it.
package struct MirrorNode: Equatable, Sendable {
  package var control: ControlFacts
  package var children: [SourceObject]
  /// Left, top, width and height on the screen; nil where it has no place there.
  package var frame: [Int64]?

  package init(_ control: ControlFacts, children: [SourceObject] = [], frame: [Int64]? = nil) {
    self.control = control
    self.children = children
    self.frame = frame
  }

  /// Whether it can be seen, or be scrolled to.
  var isShown: Bool {
    guard let states = control.states else { return true }
    return states[.showing] || control.facts.isOfPage && states[.visible]
  }

  /// Whether the objects in it say nothing that it does not say itself.
  var isWhole: Bool {
    let facts = control.facts
    return facts.role.isWhole && (!facts.name.isEmpty || facts.role.isField)
  }

  /// Bytes of its texts, with room for the rest of its line.
  var bytes: Int {
    let texts = control.facts.name.utf8.count + control.description.utf8.count
    return texts + (control.text?.utf8.count ?? 0) + 256
  }

  /// Whether a reader stops at it: it says something, or something can be done with it.
  private var isStop: Bool {
    let facts = control.facts
    return !facts.name.isEmpty || facts.role.isField || !facts.role.traits.isEmpty
  }

  /// The element of the bus for it.
  func element(
    _ source: SourceObject,
    parent: SourceObject?,
    index: Int,
    isKnown: Bool
  ) -> AppElement {
    var element = Ears.element(source, control, isKnown: isKnown).index(Int64(index))
    if let parent { element = element.with("parent", .string(parent.element)) }
    if let frame, frame.count == 4 {
      element = element.frame(x: frame[0], y: frame[1], width: frame[2], height: frame[3])
    }
    if children.isEmpty, !isStop {
      element = element.accessible(false)
    } else if isKnown {
      element = element.with("accessible", .null)
    }
    return element
  }
}
