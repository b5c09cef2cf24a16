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
  /// What the button says that means yes.
  let yes: String
  /// What is done then.
  let act: (DemoApp, Cause) throws(ClientError) -> Void

  /// The safe answer has no accident; it stands behind the text, and yes behind it.
  var elements: [AppElement] {
    [
      AppElement("question", label: title).with("modal", true)
        .with("responds", ["escape"]),
      AppElement("question-text", label: text, traits: [.staticText], parent: "question"),
      AppElement("cancel", label: "Cancel", traits: [.button], parent: "question"),
      AppElement("yes", label: yes, traits: [.button], parent: "question"),
    ]
  }

  /// What a gesture means; nil where it means nothing here.
  func answer(_ gesture: DemoGesture) -> Answer? {
    switch (gesture.name, gesture.element) {
    case ("escape", _), ("activate", "cancel"): .cancel
    case ("activate", "yes"): .yes
    default: nil
    }
  }
}
