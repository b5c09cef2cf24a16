// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A layout-changed with a text, where it may only have an element to go to.
enum LayoutText {
  static func warn(into list: inout AdviceList) {
    list.add(
      .layoutText,
      "event.text",
      "Publish the text as an announcement; a layout-changed bears an element or nothing."
    )
  }
}
