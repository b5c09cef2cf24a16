// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

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
