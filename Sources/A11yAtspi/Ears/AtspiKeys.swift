// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The keys for an action, as a toolkit tells them: the sign of the item, the way to it through
/// menus, and the shortcut, divided by semicolons, as “n;<Alt>f:n;<Primary>n”.
package enum AtspiKeys {
  private static let modifiers = [
    "Primary": "Ctrl", "Control": "Ctrl", "Shift": "Shift", "Alt": "Alt", "Super": "Super",
  ]

  /// The shortcut as it stands on the keys, such as “Ctrl+N”; empty where there is none.
  package static func shortcut(in binding: String) -> String {
    let parts = binding.split(separator: ";", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return "" }
    let keys = parts[2].split(whereSeparator: { $0 == "<" || $0 == ">" }).map(String.init)
    guard let last = keys.last, keys.count > 1 || last.first == "F" else { return "" }
    let held = keys.dropLast().map { modifiers[$0] ?? $0 }
    return (held + [last.count == 1 ? last.uppercased() : last]).joined(separator: "+")
  }
}
