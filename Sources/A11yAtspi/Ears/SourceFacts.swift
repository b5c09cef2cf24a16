// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

/// All that the ears know of an object.
package struct SourceFacts: Equatable, Sendable {
  package var role = AtspiRole.unknown
  package var name = ""
  /// The attributes about live regions, and no others.
  package var attributes: [String: String] = [:]
  /// The objects around it that make it news; nil where it stands for itself.
  package var region: LiveRegion?
  /// The count of changes between busy and free of its program when it was asked.
  var busyTurn = 0

  package init(
    role: AtspiRole = .unknown,
    name: String = "",
    attributes: [String: String] = [:],
    region: LiveRegion? = nil
  ) {
    self.role = role
    self.name = AtspiSignal.plain(name)
    self.attributes = attributes.filter { Self.known.contains($0.key) }
    self.region = region
  }

  private static let known: Set = [
    "live", "container-live", "container-atomic", "container-busy", "container-relevant",
    "container-live-role", "atomic", "busy", "tag",
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

  /// Whether it stands in a region that is live.
  package var isLive: Bool { isAssertive != nil }

  /// Whether it begins a region by itself.
  package var isRegion: Bool { attributes["live"] != nil || role.regionKind != nil }

  /// Whether a change in it is told by the whole text of a region.
  package var isAtomic: Bool {
    switch attributes["container-atomic"] {
    case "true": true
    case "false": false
    // A status is atomic unless its page says otherwise; Firefox does not tell it.
    default: regionKind == .status && isLive
    }
  }

  package var isBusy: Bool { attributes["container-busy"] == "true" }

  /// Whether it is an object of a page.
  var isOfPage: Bool { attributes["tag"] != nil }

  /// Whether text that comes is among the changes that the region tells.
  var tellsInsertions: Bool { tells(["additions", "text", "all"]) ?? true }

  /// Whether text that goes is among them.
  var tellsRemovals: Bool { isLive && tells(["removals", "all"]) ?? false }

  private func tells(_ words: Set<Substring>) -> Bool? {
    attributes["container-relevant"].map { !words.isDisjoint(with: $0.split(separator: " ")) }
  }

  /// The kind of news of its region, by the role of the region.
  var regionKind: AnnouncementClass? {
    switch attributes["container-live-role"] {
    case "status": .status
    case "log": .chat
    case "timer": .timer
    default: role.regionKind ?? region?.role.regionKind
    }
  }
}

/// The objects that make an object of a page news.
package struct LiveRegion: Equatable, Sendable {
  /// The object that begins the region, and its role.
  package var root: SourceObject
  package var role: AtspiRole
  /// The object whose whole text tells a change, where the region is atomic.
  package var atomic: SourceObject?
  /// The object that is busy.
  package var busy: SourceObject?

  package init(
    root: SourceObject,
    role: AtspiRole = .unknown,
    atomic: SourceObject? = nil,
    busy: SourceObject? = nil
  ) {
    self.root = root
    self.role = role
    self.atomic = atomic
    self.busy = busy
  }
}
