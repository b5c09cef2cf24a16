// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

// What is forgotten of the log is forgotten here too.
extension Model {
  /// Takes away the windows of apps; their connections stay, and may tell of others.
  package mutating func forget(_ isMeant: (_ app: String, _ uid: Int64) -> Bool) {
    for key in apps.keys where isMeant(key.app.text, Int64(key.uid)) {
      apps[key]?.windows = [:]
      if apps[key]?.connections == 0 { apps[key] = nil }
      if active?.app == key { active = nil }
      if focus?.place.app == key { focus = nil }
    }
  }
}
