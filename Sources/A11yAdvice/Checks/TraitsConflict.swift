// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Traits by which an element is two things at once.
enum TraitsConflict {
  static func checkTraits(_ traits: TraitSet, _ field: FieldPath, into list: inout AdviceList) {
    guard traits.count(of: .kinds) > 1 else { return }
    let kinds = traits.names(of: .kinds)
    let listed = kinds.dropLast().joined(separator: ", ") + " and " + (kinds.last ?? "")
    list.add(
      .traitsConflict,
      field.path,
      "Choose one of \(listed); readers say each of them, and an element is only one."
    )
  }
}
