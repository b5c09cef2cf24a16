// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

extension Model {
  /// The texts and traits of an element; texts as JSON has them between their quotes.
  public struct Spoken: Equatable, Sendable {
    public var label: [UInt8]?
    public let value: [UInt8]?
    public let hint: [UInt8]?
    public let language: [UInt8]?
    public let traits: UInt32
    /// The length of the texts that the log does not have.
    public let redacted: LengthClass?
    public let lacksLabel: Bool
    public let lacksValue: Bool
  }

  /// The texts and traits of an element; without a label, it has the labels of the elements in it.
  public func spoken(_ element: Name, window: Name, app: AppKey) -> Spoken? {
    guard let tree = apps[app]?.windows[window]?.tree, let slot = tree.find(element),
      var spoken = tree.element(slot)?.spoken
    else { return nil }
    var steps = Steps()
    // Elements that hang below each other count as hidden; their labels would never end.
    if spoken.label == nil, !spoken.lacksLabel, !tree.isHidden(slot, &steps) {
      spoken.label = tree.labels(below: slot)
    }
    return spoken
  }

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
