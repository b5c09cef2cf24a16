// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// What a client may be beyond an app.
public enum ClientRole: String, Hashable, Sendable {
  /// This connection is an assistive technology.
  case reader
}

/// How a connection says hello.
package struct Introduction: Hashable, Sendable {
  package var app: String?
  package var role: ClientRole?

  package init(app: String?, role: ClientRole?) {
    self.app = app
    self.role = role
  }

  var fields: [JSONValue.Member] {
    var fields: [JSONValue.Member] = []
    if let app { fields.append(.init("app", .string(app))) }
    if let role { fields.append(.init("role", .string(role.rawValue))) }
    fields.append(.init("want", [1]))
    return fields
  }
}
