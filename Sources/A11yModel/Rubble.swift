// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// What windows that are gone were made of, let go of a little at a time.
///
/// To give the memory of a hundred thousand elements back takes 20 ms, for which nobody should wait.
/// It says nothing of what is the case.
struct Rubble: Sendable {
  private var trees: [Tree] = []
  /// What goes at once without being noticed.
  private static let little = 1_024

  var isEmpty: Bool { trees.isEmpty }

  mutating func add(_ tree: Tree) {
    if tree.count > Self.little { trees.append(tree) }
  }

  /// Lets go of about so many of its smallest parts.
  mutating func clear(_ crumbs: Int) {
    for _ in 0..<crumbs where !trees.isEmpty {
      if trees[trees.count - 1].crumble() { trees.removeLast() }
    }
  }
}

extension Model {
  /// Whether memory of what is gone is still to be given back.
  public var hasRubble: Bool { !rubble.isEmpty }

  /// Gives some of it back, in less than a millisecond.
  public mutating func clearRubble() { rubble.clear(Self.shovel) }

  /// Takes over what another model is made of, of which nobody is going to ask any more.
  public mutating func demolish(_ other: consuming Model) {
    for app in other.apps.values {
      for window in app.windows.values { rubble.add(window.tree) }
    }
  }

  /// Takes a window away.
  mutating func close(_ window: Name, of key: AppKey) {
    if let tree = apps[key]?.windows.removeValue(forKey: window)?.tree { rubble.add(tree) }
  }

  private static let shovel = 6
}
