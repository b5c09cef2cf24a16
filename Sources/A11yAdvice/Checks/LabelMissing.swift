// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yWire

/// Something that a reader stops at and has no name for.
enum LabelMissing {
  /// `known` is all that is known of the element, this event included.
  static func checkNaming(
    _ known: Model.Naming,
    _ id: String,
    _ field: FieldPath,
    into list: inout AdviceList
  ) {
    let traits = TraitSet(bits: known.traits)
    guard !known.hasLabel, !known.isHidden, known.isAccessible != false else { return }
    if traits.isDisjoint(with: .interactive) {
      // It says itself that it is stopped at. What it says then may be its value.
      guard known.isAccessible == true, !known.hasValue else { return }
    } else if known.isAccessible == nil, known.hasChildren {
      // It may be a frame around what is stopped at in its place.
      return
    }
    list.add(
      .labelMissing,
      field.path,
      "Give \(id.quoted) a label; readers stop at it and have nothing to say."
    )
  }
}
