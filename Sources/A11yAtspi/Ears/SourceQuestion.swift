// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A question to a foreign program about one of its objects.
package struct SourceQuestion: Hashable, Sendable {
  /// The thing that is asked for.
  package enum Topic: Hashable, Sendable {
    /// The name of the program, by its root.
    case program
    /// Role, attributes and name.
    case facts
    /// The whole text of an object.
    case text
    /// The texts within an alert.
    case labels
    /// The present value with its bounds.
    case value
  }

  package let topic: Topic
  package let source: SourceObject

  package init(_ topic: Topic, _ source: SourceObject) {
    self.topic = topic
    self.source = source
  }
}

/// The answer to a question; each kind has its topic.
package enum SourceAnswer: Equatable, Sendable {
  case program(name: String)
  case facts(SourceFacts)
  case text(String)
  case value(present: Double, lowest: Double, highest: Double)
  /// The program has refused, or has not answered in time.
  case none
}

/// All that the ears know of an object.
package struct SourceFacts: Equatable, Sendable {
  package var role = AtspiRole.unknown
  package var name = ""
  /// The attributes about live regions, and no others.
  package var attributes: [String: String] = [:]

  package init(role: AtspiRole = .unknown, name: String = "", attributes: [String: String] = [:]) {
    self.role = role
    self.name = AtspiSignal.plain(name)
    self.attributes = attributes.filter { Self.known.contains($0.key) }
  }

  private static let known: Set = [
    "live", "container-live", "container-atomic", "container-busy", "container-relevant",
  ]

  /// Whether inserted text is news, and how urgent; nil where it is none.
  var isAssertive: Bool? {
    // Typed secrets never get in, whatever surrounds them.
    guard role != .passwordText else { return nil }
    switch attributes["container-live"] ?? attributes["live"] {
    case "assertive": return true
    case "polite": return role == .alert
    case "off": return nil
    // Firefox marks an alert by its role alone.
    default: return role.isNews ? role == .alert : nil
    }
  }

  var isAtomic: Bool { attributes["container-atomic"] == "true" }

  var isBusy: Bool { attributes["container-busy"] == "true" }

  /// Whether text that comes is among the changes that the region tells.
  var tellsInsertions: Bool {
    guard let relevant = attributes["container-relevant"] else { return true }
    return relevant.split(separator: " ").contains { ["additions", "text", "all"].contains($0) }
  }
}
