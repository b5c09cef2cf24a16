// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Systemd

/// The kinds of journal entries of the voice; `a11y-speech.catalog` explains each.
enum SpeechMessage: String, CaseIterable {
  case noSound = "5c1f4b0c6f8a4c0f8d2f6a9bb1e7d301"
  case repairing = "a7d9a1c2e31d4dd5a0a3c60f3be2f702"
  case settingsMistaken = "e2b75f0e9a7341f6b9c0a7d54f1c8803"
  case settingRefused = "19c3d8f47b5e4a43a86f0b1de5a79904"

  var id: MessageID { MessageID(rawValue) }
}
