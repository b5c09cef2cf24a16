// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import DBus

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
    if let orca = orca(by: .late) ?? orca(by: .early) { return orca }
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

  private func orca(by service: OrcaService) -> Orca? {
    services[service].map {
      Orca(connection: $0, version: listener?.version, way: .service(service))
    }
  }
}

/// The service of Orca on the session's bus, by its name there.
package enum OrcaService: String, CaseIterable, Sendable {
  /// Of Orca 49 and 50.
  case early = "org.gnome.Orca.Service"
  /// Of Orca 51 and later.
  case late = "org.gnome.Orca1.Service"

  /// A method with its values.
  package typealias Call = (method: DBusMethod, values: [DBusValue])

  private var path: String {
    switch self {
    case .early: "/org/gnome/Orca/Service"
    case .late: "/org/gnome/Orca1/Service"
    }
  }

  /// Has Orca speak a text and show it in braille, behind all that it speaks already.
  package func presenting(_ text: String) -> Call {
    (DBusMethod(rawValue, path, rawValue, "PresentMessage"), [.string(text)])
  }

  /// Has Orca stop all speech; one of these calls is known to it.
  package var interruptions: [Call] {
    switch self {
    case .early:
      // The module has another name in each of the two versions.
      ["SpeechAndVerbosityManager", "SpeechManager"].map { module in
        let place = "\(path)/\(module)"
        return (
          DBusMethod(rawValue, place, "org.gnome.Orca.Module", "ExecuteCommand"),
          [.string("InterruptSpeech"), .boolean(false)]
        )
      }
    case .late:
      [
        (
          DBusMethod(
            rawValue,
            "\(path)/SpeechManager",
            "org.gnome.Orca1.SpeechManager",
            "InterruptSpeech"
          ),
          [.boolean(false)]
        )
      ]
    }
  }
}

/// The version of a running Orca, as in `43.1` or `48.alpha`.
package struct OrcaVersion: Equatable, Comparable, Sendable, CustomStringConvertible {
  package let major: Int
  /// The number behind the point; -1 for a version before the first of its row.
  package let minor: Int
  package let description: String

  /// Reads a version; what stands behind a space is passed over.
  package init?(_ text: String) {
    guard let word = text.split(separator: " ").first, word.utf8.count <= 32,
      word.unicodeScalars.allSatisfy({ $0.isASCII && $0.properties.isGraphemeBase })
    else { return nil }
    let parts = word.split(separator: ".")
    guard let first = parts.first, let major = Int(first) else { return nil }
    self.major = major
    minor = parts.count > 1 ? Int(parts[1]) ?? -1 : 0
    description = String(word)
  }

  /// Finds the version in the file that Orca's installation keeps it in.
  package init?(platformFile: String) {
    let line = platformFile.split(separator: "\n").first { line in
      line.hasPrefix("version") && line.dropFirst(7).drop { $0 == " " }.first == "="
    }
    guard let line else { return nil }
    let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
    guard parts.count >= 2 else { return nil }
    self.init(String(parts[1]))
  }

  package static func < (one: OrcaVersion, other: OrcaVersion) -> Bool {
    (one.major, one.minor) < (other.major, other.minor)
  }
}
