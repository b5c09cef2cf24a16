// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yWire

/// An element that readers stop at without a name for it.
enum LabelMissing {
  /// `known` is the element after this event.
  static func checkNaming(
    _ known: Model.Naming,
    _ id: String,
    _ field: FieldPath,
    into list: inout AdviceList
  ) {
    let traits = TraitSet(bits: known.traits)
    guard !known.hasLabel, !known.isHidden, known.isAccessible != false else { return }
    if traits.isDisjoint(with: .interactive) {
      // The element says itself that it is a stop, and its value may be its name.
      guard known.isAccessible == true, !known.hasValue else { return }
    } else if known.isAccessible == nil, known.hasChildren {
      // The element may be a frame around other stops.
      return
    }
    list.add(
      .labelMissing,
      field.path,
      "Give \(id.quoted) a label; readers stop at it and have nothing to say."
    )
  }
}
