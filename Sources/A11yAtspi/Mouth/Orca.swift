// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The screen reader Orca, as it runs now.
package struct Orca: Equatable, Sendable {
  /// A way on which Orca takes words.
  package enum Way: Equatable, Sendable {
    /// Orca's own service, which can be told to stop.
    case service(OrcaService)
    /// The announcement of an application.
    case announcement
    /// A notification that appears.
    case notification
  }

  /// The connection by which it is known; the next Orca has another.
  package let connection: String
  package let version: OrcaVersion?
  package let way: Way

  package init(connection: String, version: OrcaVersion?, way: Way) {
    self.connection = connection
    self.version = version
    self.way = way
  }

  /// Whether it can be made to stop; without that, what it was handed is spoken to its end.
  var stops: Bool {
    if case .service = way { true } else { false }
  }

  /// Its name in reports.
  package static let name = "Orca"

  /// Its name, version and way in words.
  package var sentence: String {
    let name = version.map { "\(Self.name) \($0)" } ?? Self.name
    switch way {
    case .service: return "\(name), by its service"
    case .announcement: return "\(name), by announcements"
    case .notification: return "\(name), by notifications"
    }
  }
}

/// Everything that the buses tell of Orca.
package struct OrcaSigns: Equatable, Sendable {
  /// A connection of Orca at the accessibility bus that is told events.
  package struct Listener: Equatable, Sendable {
    package let connection: String
    package let version: OrcaVersion?
    package let hearsAnnouncements: Bool

    package init(connection: String, version: OrcaVersion?, hearsAnnouncements: Bool) {
      self.connection = connection
      self.version = version
      self.hearsAnnouncements = hearsAnnouncements
    }
  }

  /// The connections that own the names of services.
  package var services: [OrcaService: String] = [:]
  package var listener: Listener?

  package init() {}

  /// Orca 45.0 and 45.1 ask for announcements, and stumble over each of them.
  private static let firstWithAnnouncements = OrcaVersion("45.2")

  /// The Orca that runs, with the best way that it knows; nil where none does.
  package var orca: Orca? {
    for service in [OrcaService.late, .early] {
      guard let owner = services[service] else { continue }
      return Orca(connection: owner, version: listener?.version, way: .service(service))
    }
    guard let listener else { return nil }
    var hears = listener.hearsAnnouncements
    if let version = listener.version, let first = Self.firstWithAnnouncements, version < first {
      hears = false
    }
    return Orca(
      connection: listener.connection,
      version: listener.version,
      way: hears ? .announcement : .notification
    )
  }
}
