// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Systemd

/// The kinds of journal entries of the bridge; `a11y-atspi.catalog` explains each.
enum AtspiMessage: String, CaseIterable {
  case earsOverrun = "7b0c2d5f8e614a9fb3c1a4f07d29e601"
  case malformed = "c84e19a7d3f2465b9a60e7b25f1d3802"
  case lost = "5d27b1c94e0f4a63a1f86c3b7e92d504"
  case settingsMistaken = "3f96b7e0a1c84d52b8d7f4e69c0a5103"

  var id: MessageID { MessageID(rawValue) }
}
