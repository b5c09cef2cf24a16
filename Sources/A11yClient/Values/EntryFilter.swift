// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The choice of entries that a subscription lets through.
///
/// A list that is nil lets everything through, an empty list nothing; an entry passes if it fits
/// all given lists. Entries that the bus writes about an event pass with that event.
public struct EntryFilter: Hashable, Sendable {
  /// Types of events, as they stand on the wire.
  public var types: [String]?
  /// Names of apps.
  public var apps: [String]?
  /// Windows, by their ids.
  public var windows: [String]?
  /// Elements, by their ids.
  public var elements: [String]?
  /// Priorities of announcements.
  public var priorities: [AnnouncementPriority]?

  /// Lets through the entries that fit all given lists.
  public init(
    types: [String]? = nil,
    apps: [String]? = nil,
    windows: [String]? = nil,
    elements: [String]? = nil,
    priorities: [AnnouncementPriority]? = nil
  ) {
    self.types = types
    self.apps = apps
    self.windows = windows
    self.elements = elements
    self.priorities = priorities
  }

  /// Lets everything through.
  public static let everything = EntryFilter()

  var json: JSONValue {
    let lists = [
      ("types", types), ("apps", apps), ("windows", windows), ("elements", elements),
      ("priorities", priorities.map { $0.map(\.rawValue) }),
    ]
    return .object(
      lists.compactMap { name, words in
        words.map { JSONValue.Member(name, .list($0.map(JSONValue.string))) }
      }
    )
  }
}
