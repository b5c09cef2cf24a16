// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A layout-changed with a text: it has an element to go to, or nothing.
enum LayoutText {
  static func warn(into list: inout AdviceList) {
    list.add(
      .layoutText,
      "event.text",
      "Publish the text as an announcement; a layout-changed bears an element or nothing."
    )
  }
}
