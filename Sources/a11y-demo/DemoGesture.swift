// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

/// Something that the user wants to have done, as the bus hands it to the app.
struct DemoGesture {
  /// What the app answers to.
  let seq: Int64
  /// The entry that has led to it.
  let action: Int64
  let name: String
  let window: String?
  let element: String?

  init?(_ entry: Entry) {
    guard entry.conn == 0, entry.type == "gesture", let name = entry.string("name"),
      let action = entry.integer("action")
    else { return nil }
    seq = entry.seq
    self.action = action
    self.name = name
    window = entry.string("window")
    element = entry.string("element")
  }

  /// What the app's events give as their cause.
  ///
  /// A page is also turned when the user has listened to its end; that is no action which could be
  /// named, but the user's doing all the same.
  var cause: Cause { name == "scroll" ? .user : .action(action) }
}
