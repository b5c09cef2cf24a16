// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yRules
import A11yWire

extension Facts {
  /// Facts of an event that says no more than it must.
  static func of(_ topic: Topic) -> Facts {
    Facts(
      topic: topic,
      speechClass: .message,
      uid: 1000,
      app: Name("org.example.mail"),
      window: nil,
      element: nil,
      priority: .default,
      traits: 0,
      cause: .auto,
      isForeground: true,
      isFocused: false,
      isContinuous: false,
      text: nil
    )
  }

  static func announcement(_ priority: Priority) -> Facts {
    of(.announcement).with { $0.priority = priority }
  }

  func of(_ speechClass: SpeechClass) -> Facts { with { $0.speechClass = speechClass } }

  func by(_ cause: Causation) -> Facts { with { $0.cause = cause } }

  func focused() -> Facts { with { $0.isFocused = true } }

  func continuous() -> Facts { with { $0.isContinuous = true } }

  func with(_ change: (inout Facts) -> Void) -> Facts {
    var facts = self
    change(&facts)
    return facts
  }
}
