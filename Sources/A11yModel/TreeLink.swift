// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

extension Tree {
  /// An element's ties to other elements, and the flags that decide about the way through them.
  struct Link: Sendable {
    var parent = Slot.none
    var firstChild = Slot.none
    var lastChild = Slot.none
    var childCount: Int32 = 0
    var before = Slot.none
    var after = Slot.none
    /// The neighbours in the order of arrival; `later` of a vacant place is the next vacant one.
    var earlier = Slot.none
    var later = Slot.none
    /// `middle` is the root of the search tree over its children; the others are its own node in
    /// that of its siblings (`Siblings`).
    var middle = Slot.none
    var left = Slot.none
    var right = Slot.none
    var up = Slot.none
    var size: Int32 = 0
    /// The bytes of its id and its texts.
    var bytes: Int32 = 0
    private(set) var flags: Flags = []

    struct Flags: OptionSet, Sendable {
      let rawValue: UInt16

      /// The element has arrived; without this flag it is only named as a parent.
      static let there = Flags(rawValue: 1)
      static let hidden = Flags(rawValue: 2)
      static let modal = Flags(rawValue: 4)
      /// The element says whether it is accessible.
      static let decided = Flags(rawValue: 8)
      static let accessible = Flags(rawValue: 16)
      static let labelled = Flags(rawValue: 32)
      static let responds = Flags(rawValue: 64)
      static let framed = Flags(rawValue: 128)
      static let summary = Flags(rawValue: 256)
      static let dialog = Flags(rawValue: 512)
    }

    var isThere: Bool { flags.contains(.there) }
    var isHidden: Bool { flags.contains(.hidden) }
    var isModal: Bool { flags.contains(.modal) }
    /// Whether it is there and not hidden itself.
    var isShown: Bool { flags.isDisjoint(with: .hidden) && isThere }

    /// Whether it is accessible; nil where it does not say so itself.
    var isAccessible: Bool? { flags.contains(.decided) ? flags.contains(.accessible) : nil }

    /// Whether it may be a stop: it does not say that it is inaccessible.
    var isOpen: Bool { isAccessible ?? true }

    /// Sets the flags and the bytes of an element that has arrived.
    mutating func describe(_ element: KnownElement, _ name: Name) {
      flags = element.flags
      flags.insert(.there)
      if element.isSummary { flags.insert(.summary) }
      if element.isDialog { flags.insert(.dialog) }
      bytes = Int32(name.text.utf8.count) + element.bytes
    }
  }
}
