// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

// Views of windows and elements with all that is known of them, for people who inspect the model.
extension Model {
  /// A window as it is shown.
  public struct WindowSight: Equatable, Sendable {
    public let app: AppKey
    public let window: Name
    public let title: String?
    /// `opened`, `active` or `inactive`.
    public let state: String
    public let isModal: Bool
    /// The last element of the window that had the focus.
    public let focus: Name?
    public let elements: Int
  }

  /// An element as it is shown.
  public struct ElementSight: Equatable, Sendable {
    public let element: Name
    /// The number of elements around it.
    public let level: Int
    public let spoken: Spoken
    /// The words for its traits, in the schema's order.
    public let traits: [String]
    /// Left, top, width and height.
    public let frame: [Int64]?
    /// Whether it, or something around it, is hidden.
    public let isHidden: Bool
    public let isModal: Bool
    /// Whether the reading order stops at it.
    public let isStop: Bool
    /// The names of custom actions and of gestures, as JSON lists.
    public let actions: [UInt8]?
    public let responds: [UInt8]?
  }

  /// The position of an element in the reading order.
  public struct Position: Equatable, Sendable {
    /// Among all stops that can be reached, from 1; nil where it is none of them.
    public let place: Int?
    public let stops: Int
    /// The containers around it, the outermost first.
    public let path: [Name]
  }

  /// All windows, in the order of arrival.
  public var windowSights: [WindowSight] {
    apps.flatMap { key, app in app.windows.map { (key, $0.key, $0.value) } }
      .sorted { $0.2.arrival < $1.2.arrival }
      .map { key, id, window in
        WindowSight(
          app: key,
          window: id,
          title: window.title,
          state: window.state.rawValue,
          isModal: window.isModal,
          focus: window.focus,
          elements: window.tree.count
        )
      }
  }

  public func sight(of spot: Spot) -> ElementSight? {
    guard let tree = apps[spot.app]?.windows[spot.window]?.tree,
      let slot = tree.find(spot.element), tree[slot].isThere
    else { return nil }
    return sight(slot, tree, level: path(to: spot).count)
  }

  /// Every element of a window, depth first; last those without an ancestor that has arrived.
  public func eachSight(
    in window: Name,
    of app: AppKey,
    _ body: (ElementSight) -> Void
  ) {
    guard let tree = apps[app]?.windows[window]?.tree, tree.count > 0 else { return }
    var seen: Set<Tree.Slot> = []
    func descend(from top: Tree.Slot, level: Int) {
      var pending = [(top, level)]
      while let (slot, level) = pending.popLast() {
        guard seen.insert(slot).inserted else { continue }
        if tree[slot].isThere { body(sight(slot, tree, level: level)) }
        var child = tree[slot].lastChild
        while child != .none {
          pending.append((child, level + 1))
          child = tree[child].before
        }
      }
    }
    descend(from: .root, level: -1)
    var rest = tree.first
    while rest != .none {
      if !seen.contains(rest) { descend(from: tree.outermost(around: rest), level: 0) }
      rest = tree.next(after: rest)
    }
  }

  private func sight(_ slot: Tree.Slot, _ tree: Tree, level: Int) -> ElementSight {
    let element = tree.element(slot) ?? KnownElement()
    var spoken = element.spoken
    var steps = Steps()
    let isHidden = tree.isHidden(slot, &steps)
    let isStop = !isHidden && tree.isShownStop(slot, &steps)
    if isStop, spoken.label == nil, !spoken.lacksLabel { spoken.label = tree.labels(below: slot) }
    return ElementSight(
      element: tree.name(slot),
      level: level,
      spoken: spoken,
      traits: element.traitWords,
      frame: element.frame,
      isHidden: isHidden,
      isModal: element.isModal,
      isStop: isStop,
      actions: element.actions,
      responds: element.responds
    )
  }

  /// The position of an element among those that the reading order stops at.
  public func position(of spot: Spot) -> Position {
    var count = 0
    var place: Int?
    var at = step(.first, from: nil, window: spot.window, app: spot.app)
    while let stop = at {
      count += 1
      if stop.element == spot.element { place = count }
      at = step(.next, from: stop.element, window: spot.window, app: spot.app)
    }
    return Position(place: place, stops: count, path: path(to: spot))
  }
}

extension Tree {
  /// The outermost element that has arrived around one that does not hang below the root.
  fileprivate func outermost(around slot: Slot) -> Slot {
    var outermost = slot
    var steps = Steps()
    let end = outward(from: slot, &steps) { at in
      if self[at].isThere { outermost = at }
      return false
    }
    return end == .nowhere ? slot : outermost
  }
}

extension Model {
  /// The texts, traits and states of an element; texts as JSON has them between their quotes.
  public struct Spoken: Equatable, Sendable {
    public internal(set) var label: [UInt8]?
    public internal(set) var value: [UInt8]?
    public internal(set) var hint: [UInt8]?
    public internal(set) var language: [UInt8]?
    public internal(set) var role: [UInt8]?
    public internal(set) var traits: UInt32
    public internal(set) var states = States()
    public internal(set) var place: SetPlace?
    /// The length of the texts that the log does not have.
    public internal(set) var redacted: LengthClass?
    public internal(set) var lacksLabel = false

    init(traits: UInt32) { self.traits = traits }
  }

  /// Whether something is checked, pressed or on.
  public enum Checked: Equatable, Sendable {
    case yes, no
    /// Some of what it stands for is.
    case mixed

    init(_ written: Span<UInt8>) {
      self = written.equals("true") ? .yes : written.equals("false") ? .no : .mixed
    }
  }

  /// How an element is, beside its texts.
  public struct States: Equatable, Sendable {
    /// Nil for what cannot be checked, and for what does not open.
    public internal(set) var checked: Checked?
    public internal(set) var isExpanded: Bool?
    public internal(set) var isSelected = false
    public internal(set) var isDisabled = false
    public internal(set) var isRequired = false
    public internal(set) var isInvalid = false
  }

  /// The place of an element among those that belong together.
  public struct SetPlace: Equatable, Sendable {
    public let index: Int64
    public let count: Int64

    /// Reads `{"index":2,"count":5}`, as the schema has it written.
    init?(_ written: Span<UInt8>) {
      guard let comma = written.firstIndex(of: UInt8(ascii: ",")),
        let index = Self.number(written.extracting(0..<comma)),
        let count = Self.number(written.extracting(comma..<written.count - 1))
      else { return nil }
      (self.index, self.count) = (index, count)
    }

    private static func number(_ member: Span<UInt8>) -> Int64? {
      guard let colon = member.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      return member.extracting(colon + 1..<member.count).decimal
    }
  }

  /// The texts and traits of an element; without a label, it has the labels of the elements in it,
  /// unless its own words alone are asked for.
  public func spoken(
    _ element: Name,
    window: Name,
    app: AppKey,
    alone: Bool = false
  ) -> Spoken? {
    guard let tree = apps[app]?.windows[window]?.tree, let slot = tree.find(element),
      var spoken = tree.element(slot)?.spoken
    else { return nil }
    if alone { return spoken }
    var steps = Steps()
    // Elements that hang below each other count as hidden; their labels would never end.
    if spoken.label == nil, !spoken.lacksLabel, !tree.isHidden(slot, &steps) {
      spoken.label = tree.labels(below: slot)
    }
    return spoken
  }

  /// The dialog in which an element stands, or that it is itself.
  public func dialog(around element: Name, window: Name, app: AppKey) -> Name? {
    guard let tree = apps[app]?.windows[window]?.tree, tree.dialogs > 0,
      var slot = tree.find(element)
    else { return nil }
    for _ in 0..<Self.mostContainers where slot != .root && slot != .none {
      if tree[slot].flags.contains(.dialog) { return tree.name(slot) }
      slot = tree[slot].parent
    }
    return nil
  }

  /// Containers around an element that are looked at.
  private static let mostContainers = 256

  /// Elements that sum up a window, and are read when the user comes there.
  public func summaries(of app: AppKey, window: Name) -> [Name] {
    guard let tree = apps[app]?.windows[window]?.tree, tree.summaries > 0 else { return [] }
    return tree.stops(with: .summary, atMost: Self.mostSummaries).map { tree.name($0) }
  }

  /// More elements than these are no summary.
  public static let mostSummaries = 16
}

extension Tree {
  /// Bytes at which a label made of many ends: more than anybody listens to.
  private static var labelBytes: Int { 1_024 }

  /// The labels of all elements in one, joined with commas.
  func labels(below top: Slot) -> [UInt8]? {
    var labels: [UInt8] = []
    var steps = Steps()
    var at = nextShown(behind: top, within: top, &steps)
    while let slot = at, labels.count < Self.labelBytes {
      if self[slot].flags.contains(.labelled), let label = element(slot)?.spoken.label {
        if !labels.isEmpty { labels.append(contentsOf: ", ".utf8) }
        labels.append(contentsOf: label)
      }
      at = nextShown(behind: slot, within: top, &steps)
    }
    return labels.isEmpty ? nil : labels
  }
}
