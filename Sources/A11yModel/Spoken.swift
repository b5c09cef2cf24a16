// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

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
    public internal(set) var lacksValue = false

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
