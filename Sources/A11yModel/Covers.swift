// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

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
