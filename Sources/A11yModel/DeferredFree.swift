// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// The memory of removed windows and elements, given back a little at a time.
///
/// Giving back a hundred thousand elements takes 20 ms, for which nobody should wait. It is no
/// part of what the model knows.
struct DeferredFree: Sendable {
  private var trees: [Tree] = []
  /// Windows with places of elements that were removed.
  fileprivate var littered: [WindowPlace] = []
  /// Places up to which a tree is released at once, because nobody notices.
  private static let little = 64

  var isEmpty: Bool { trees.isEmpty && littered.isEmpty }

  mutating func add(_ tree: Tree) {
    if tree.places > Self.little { trees.append(tree) }
  }

  /// Releases so many of the smallest pieces.
  mutating func free(_ pieces: Int) {
    for _ in 0..<pieces where !trees.isEmpty {
      if trees[trees.count - 1].freePiece() { trees.removeLast() }
    }
  }
}

extension Model {
  /// Whether memory of what is gone is still to be given back.
  public var hasDeferredFree: Bool { !deferredFree.isEmpty }

  /// Gives back some of it, in less than a millisecond.
  public mutating func freeDeferred() {
    freeDeferred(pieces: Self.piecesAtOnce, places: Self.placesAtOnce)
  }

  mutating func freeDeferred(pieces: Int, places: Int) {
    guard hasDeferredFree else { return }
    deferredFree.free(pieces)
    guard let place = deferredFree.littered.last else { return }
    apps[place.app]?.windows[place.window]?.tree.sweep(places)
    if !(apps[place.app]?.windows[place.window]?.tree.hasRemoved ?? false) {
      deferredFree.littered.removeLast()
    }
  }

  /// Queues a window with removed elements whose places are to be given back.
  mutating func queueLitter(_ place: WindowPlace) {
    guard apps[place.app]?.windows[place.window]?.tree.hasRemoved ?? false,
      !deferredFree.littered.contains(place)
    else { return }
    deferredFree.littered.append(place)
  }

  /// Takes over the memory of another model that is not used any more.
  public mutating func demolish(_ other: consuming Model) {
    for app in other.apps.values {
      for window in app.windows.values { deferredFree.add(window.tree) }
    }
  }

  /// Removes a window.
  mutating func removeWindow(_ window: Name, of key: AppKey) {
    guard let gone = apps[key]?.windows.removeValue(forKey: window) else { return }
    weigh(key, -gone.bytes - window.text.utf8.count)
    deferredFree.add(gone.tree)
  }

  private static let piecesAtOnce = 6
  /// Places given back in the time of those pieces.
  private static let placesAtOnce = 2_048
}
