// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

/// A gesture of the user, as the bus hands it to the app.
struct DemoGesture {
  /// The seq, which the answer names.
  let seq: Int64
  /// The entry that has led to the gesture.
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

  /// The cause of the events that follow from the gesture.
  ///
  /// A page also turns when the user has listened to its end: no action that could be named, but
  /// the user's doing all the same.
  var cause: Cause { name == "scroll" ? .user : .action(action) }
}
