// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// What windows that are gone were made of, let go of a little at a time.
///
/// To give the memory of a hundred thousand elements back takes 20 ms, for which nobody should wait.
/// It says nothing of what is the case.
struct Rubble: Sendable {
  private var trees: [Tree] = []
  /// Windows with places of elements that were removed.
  fileprivate var littered: [WindowPlace] = []
  /// What goes at once without being noticed.
  private static let little = 64

  var isEmpty: Bool { trees.isEmpty && littered.isEmpty }

  mutating func add(_ tree: Tree) {
    if tree.places > Self.little { trees.append(tree) }
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
  public mutating func clearRubble() { clearRubble(crumbs: Self.shovel, places: Self.broom) }

  mutating func clearRubble(crumbs: Int, places: Int) {
    guard hasRubble else { return }
    rubble.clear(crumbs)
    guard let place = rubble.littered.last else { return }
    apps[place.app]?.windows[place.window]?.tree.sweep(places)
    if !(apps[place.app]?.windows[place.window]?.tree.hasRemoved ?? false) {
      rubble.littered.removeLast()
    }
  }

  /// Takes note of a window where places of removed elements are to be given back.
  mutating func queueLitter(_ place: WindowPlace) {
    guard apps[place.app]?.windows[place.window]?.tree.hasRemoved ?? false,
      !rubble.littered.contains(place)
    else { return }
    rubble.littered.append(place)
  }

  /// Takes over what another model is made of, of which nobody is going to ask any more.
  public mutating func demolish(_ other: consuming Model) {
    for app in other.apps.values {
      for window in app.windows.values { rubble.add(window.tree) }
    }
  }

  /// Takes a window away.
  mutating func removeWindow(_ window: Name, of key: AppKey) {
    guard let gone = apps[key]?.windows.removeValue(forKey: window) else { return }
    weigh(key, -gone.bytes - window.text.utf8.count)
    rubble.add(gone.tree)
  }

  private static let shovel = 6
  /// Places that are given back in the same time.
  private static let broom = 2_048
}
