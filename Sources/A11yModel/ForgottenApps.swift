// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

// Apps that are forgotten in the log are forgotten in the model, too.
extension Model {
  /// The elements of the chosen apps whose values are secrets.
  public func secrets(
    of isMeant: (_ app: String, _ uid: Int64) -> Bool
  ) -> ForgottenSecrets {
    var secrets = ForgottenSecrets()
    for (key, app) in apps where isMeant(key.app.text, Int64(key.uid)) {
      for (id, window) in app.windows {
        let tree = window.tree
        var slot = tree.first
        while slot != .none {
          if tree.element(slot)?.isSecure ?? false {
            secrets.insert(ElementPlace(app: key, window: id, element: tree.name(slot)))
          }
          slot = tree.next(after: slot)
        }
      }
    }
    return secrets
  }

  /// Removes apps with all that is known of them, their connections included, so that the model is
  /// the one that the rest of the log makes.
  public mutating func forget(_ isMeant: (_ app: String, _ uid: Int64) -> Bool) {
    for (conn, client) in clients where isMeant(client.app.app.text, Int64(client.app.uid)) {
      clients[conn] = nil
      if client.isReader { reader.removeListener(conn) }
    }
    for key in apps.keys where isMeant(key.app.text, Int64(key.uid)) {
      weigh(key, -bytes(of: key))
      apps[key] = nil
      if active?.app == key { active = nil }
      claims.removeAll { $0.app == key }
      if focus?.place.app == key { focus = nil }
      dropSuggestion(in: nil, of: key)
    }
    findNextDue()
  }
}
