// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

/// A question that covers the rest of the app until it is answered.
struct Question {
  static let window = "question"

  enum Answer {
    case yes, cancel
  }

  let title: String
  let text: String
  /// The label of the button for yes.
  let yes: String
  /// The consequence of yes.
  let act: (DemoApp, Cause) throws(ClientError) -> Void

  /// The elements; the safe answer stands before the other.
  var elements: [AppElement] {
    [
      AppElement("question", label: title).with("modal", true)
        .with("responds", ["escape"]),
      AppElement("question-text", label: text, traits: [.staticText], parent: "question"),
      AppElement("cancel", label: "Cancel", traits: [.button], parent: "question"),
      AppElement("yes", label: yes, traits: [.button], parent: "question"),
    ]
  }

  /// The answer that a gesture gives, if it gives one.
  func answer(_ gesture: DemoGesture) -> Answer? {
    switch (gesture.name, gesture.element) {
    case ("escape", _), ("activate", "cancel"): .cancel
    case ("activate", "yes"): .yes
    default: nil
    }
  }
}
