// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// An unknown class: its events are treated as messages.
package enum ClassUnknown {
  package static func warn(_ word: String, known: [String], into list: inout AdviceList) {
    let near = NearestName.to(word, among: known).map { " Did you mean \($0)?" } ?? ""
    list.add(
      .classUnknown,
      "event.class",
      "The class \"\(word)\" behaves as message; known are \(known.joined(separator: ", "))."
        + near
    )
  }
}
