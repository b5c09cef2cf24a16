// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

extension Tree {
  /// How an element hangs together with others, and what decides about the way through them.
  struct Link: Sendable {
    var parent = Slot.none
    var firstChild = Slot.none
    var lastChild = Slot.none
    var childCount: Int32 = 0
    var before = Slot.none
    var after = Slot.none
    /// Its neighbours in the order of their coming; of a place that is vacant, the next such.
    var earlier = Slot.none
    var later = Slot.none
    /// Where the search for a child by its number begins, and this element's place in such a search
    /// (`Siblings`).
    var middle = Slot.none
    var left = Slot.none
    var right = Slot.none
    var up = Slot.none
    var size: Int32 = 0
    /// What its id and its texts have.
    var bytes: Int32 = 0
    private(set) var flags: Flags = []

    struct Flags: OptionSet, Sendable {
      let rawValue: UInt16

      /// The element has come; it is not only named as a parent.
      static let there = Flags(rawValue: 1)
      static let hidden = Flags(rawValue: 2)
      static let modal = Flags(rawValue: 4)
      /// It says whether it is accessible.
      static let decided = Flags(rawValue: 8)
      static let accessible = Flags(rawValue: 16)
      static let labelled = Flags(rawValue: 32)
      static let responds = Flags(rawValue: 64)
      static let framed = Flags(rawValue: 128)
      static let summary = Flags(rawValue: 256)
    }

    var isThere: Bool { flags.contains(.there) }
    var isHidden: Bool { flags.contains(.hidden) }
    var isModal: Bool { flags.contains(.modal) }
    /// There and not hidden itself.
    var isShown: Bool { flags.isDisjoint(with: .hidden) && isThere }

    /// Whether it is accessible, as far as it says so itself.
    var isAccessible: Bool? { flags.contains(.decided) ? flags.contains(.accessible) : nil }

    /// It does not say that it is no stop.
    var isOpen: Bool { isAccessible ?? true }

    /// Takes over what decides about the way.
    mutating func describe(_ element: KnownElement, _ name: Name) {
      flags = element.flags
      flags.insert(.there)
      if element.isSummary { flags.insert(.summary) }
      bytes = Int32(name.text.utf8.count) + element.bytes
    }
  }
}
