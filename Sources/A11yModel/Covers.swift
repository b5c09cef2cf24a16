// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

// What covers the rest of an app: a window, or an element in one, because an event has said so or
// because the element says so itself and is shown in the window that the user works in.
extension Model {
  /// Lets a window, or an element in it, cover the rest of its app, as an event says.
  mutating func cover(_ place: WindowPlace, by element: Name?) {
    guard var window = apps[place.app]?.windows[place.window] else { return }
    if let known = window.covers.firstIndex(where: { $0.element == element }) {
      window.covers[known].isByEvent = true
    } else {
      var back = focus.map { KnownWindow.Return(place: $0.place, element: $0.element) }
      // The user may have come to it already, as to any window.
      if element == nil, back == nil || back?.place == place { back = window.cameFrom ?? back }
      addCover(element, to: &window, back, isByEvent: true)
    }
    window.dismissed.removeAll { $0 == element }
    apps[place.app]?.windows[place.window] = window
  }

  /// Ends what events have said; an element that says so still is not asked again.
  mutating func uncover(_ place: WindowPlace) {
    guard let window = apps[place.app]?.windows[place.window], window.isModal else { return }
    let shown = window.tree.shownModals
    let ended = window.covers.filter(\.isByEvent).compactMap(\.element).filter(shown.contains)
    apps[place.app]?.windows[place.window]?.covers.removeAll(where: \.isByEvent)
    apps[place.app]?.windows[place.window]?.dismissed += ended
  }

  /// Follows what has become of the elements of a window that cover the rest.
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
    // What takes the place of another leads back to where that one would have.
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

  /// Where the focus is in a window or, if it is elsewhere, was when it was there last.
  private func spotOfFocus(in place: WindowPlace, _ window: KnownWindow) -> KnownWindow.Return? {
    if let focus, focus.place == place {
      return KnownWindow.Return(place: place, element: focus.element)
    }
    return window.focus.map { KnownWindow.Return(place: place, element: $0) }
  }
}
