// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A low announcement of an app that the user does not work in.
package enum Background {
  package static func adviseLow(into list: inout AdviceList) {
    list.add(
      .backgroundLow,
      "event.priority",
      "Announce it as default if it matters, or not at all; low from the background is not spoken."
    )
  }
}
