// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Systemd

/// The kinds of journal entries of the forwarder; `a11y-forward.catalog` explains each.
enum ForwardMessage: String, CaseIterable {
  case engineAway = "7f0b6d2c94e14a0aa1f3c58e2d6b9a01"
  case remark = "d3a94c1e5b7748f2b6e80f7a1c2d5e02"
  case notForgotten = "48e6f1a7c3d04b95926b7de80a1f3c03"
  case settingsMistaken = "b15c7e2f8d3a4690ae4f12c6d7083904"

  var id: MessageID { MessageID(rawValue) }
}
