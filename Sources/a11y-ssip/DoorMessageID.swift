// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Systemd

/// The kinds of journal entries of the door; `a11y-ssip.catalog` explains each.
enum DoorMessageID: String, CaseIterable {
  case settingsMistaken = "7d0c7f4a1f0f4b44a3de57a5c1a6e204"
  case messageRefused = "0b9e3c0d6a5d4f59a7c1de0c2f48b315"

  var id: MessageID { MessageID(rawValue) }
}
