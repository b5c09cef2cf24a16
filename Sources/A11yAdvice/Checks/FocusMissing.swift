// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A wish for the focus on an element where it cannot be.
package enum FocusMissing {
  package static func warn(_ element: String, into list: inout AdviceList) {
    list.add(
      .focusMissing,
      "event.element",
      "Publish the element \"\(element)\" first, shown and accessible; the focus cannot go there."
    )
  }
}
