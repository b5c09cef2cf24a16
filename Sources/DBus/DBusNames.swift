// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix

/// A method of an object of a connection.
package struct DBusMethod: Hashable, Sendable {
  package let destination: String
  package let path: String
  package let interface: String
  package let member: String

  package init(_ destination: String, _ path: String, _ interface: String, _ member: String) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
  }

  /// A method of the daemon itself.
  package static func daemon(_ member: String) -> DBusMethod {
    DBusMethod(
      "org.freedesktop.DBus",
      "/org/freedesktop/DBus",
      "org.freedesktop.DBus",
      member
    )
  }

  /// A method of the daemon for monitors.
  package static let becomeMonitor = DBusMethod(
    "org.freedesktop.DBus",
    "/org/freedesktop/DBus",
    "org.freedesktop.DBus.Monitoring",
    "BecomeMonitor"
  )
}

/// A signal of an object of ours.
package struct DBusSignal: Hashable, Sendable {
  package let path: String
  package let interface: String
  package let member: String

  package init(_ path: String, _ interface: String, _ member: String) {
    self.path = path
    self.interface = interface
    self.member = member
  }
}

/// A rule by which the daemon chooses messages.
package struct DBusMatch: Hashable, Sendable {
  /// The rule as the daemon reads it.
  package let rule: String

  package init(
    type: String = "signal",
    sender: String? = nil,
    interface: String? = nil,
    member: String? = nil,
    path: String? = nil,
    arguments: [Int: String] = [:]
  ) {
    var parts = ["type='\(type)'"]
    if let sender { parts.append("sender='\(sender)'") }
    if let interface { parts.append("interface='\(interface)'") }
    if let member { parts.append("member='\(member)'") }
    if let path { parts.append("path='\(path)'") }
    for (index, value) in arguments.sorted(by: { $0.key < $1.key }) {
      parts.append("arg\(index)='\(value)'")
    }
    rule = parts.joined(separator: ",")
  }
}

/// The address of the session's daemon.
package enum SessionBus {
  /// The address that the environment names; nil without a session.
  package static func address(
    environment: (String) -> String? = Environment.value
  ) -> String? {
    if let address = environment("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty { return address }
    return environment("XDG_RUNTIME_DIR").map { "unix:path=\($0)/bus" }
  }
}
