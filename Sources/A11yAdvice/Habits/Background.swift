// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// What an app tells from where the user does not work.
package enum Background {
  package static func adviseLow(into list: inout AdviceList) {
    list.add(
      .backgroundLow,
      "event.priority",
      "Announce it as default if it matters, or not at all; low from the background is not spoken."
    )
  }

  package static func warnOfSeat(into list: inout AdviceList) {
    list.add(
      .backgroundSeat,
      "event.state",
      "The window stays in the background as long as its user does not sit at the machine."
    )
  }
}
