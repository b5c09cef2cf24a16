// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import DBus

/// The application without windows whose notifications Orca reads.
///
/// Under its root is a status bar, in it the last notifications, and in each a label with the
/// words. Orca 43 says “notification” before each that is in no status bar, and shows in braille
/// only what stands in a label. Orca 48 drops the second of two events within 100 ms, but for those
/// of notifications.
package struct MouthTree: Sendable {
  /// An object by its place in the tree.
  private enum Node: Equatable {
    case root, bar
    case notification(Notice)
    case label(Notice)
  }

  /// A notification with its words.
  private struct Notice: Equatable {
    let number: Int
    let text: String
    let time: Int64
  }

  /// The name of our connection.
  private let connection: String
  private var notices: [Notice] = []
  private var count = 0
  /// The desktop, which the registry is.
  package var desktop: SourceObject?

  private static let folder = "/org/a11y/atspi/accessible/"
  package static let root = folder + "root"
  private static let bar = folder + "bar"
  private static let null = "/org/a11y/atspi/null"
  private static let accessible = "org.a11y.atspi.Accessible"
  private static let application = "org.a11y.atspi.Application"
  /// Notifications that Orca may still ask about.
  private static let most = 16
  /// The time in which an Orca that is busy looks at a notification.
  static let lifetime: Int64 = 30_000_000

  package init(connection: String) { self.connection = connection }

  // MARK: Notifications

  /// Adds a notification, and returns its path.
  package mutating func hang(_ text: String, at now: Int64) -> String {
    count += 1
    notices.append(Notice(number: count, text: text, time: now))
    return Self.path(of: .notification(notices[notices.count - 1]))
  }

  /// Removes what is old by now or too much, and returns the paths of objects that are no more.
  package mutating func removeOld(at now: Int64) -> [String] {
    let kept = notices.suffix(Self.most).filter { $0.time + Self.lifetime > now }
    let gone = notices.filter { !kept.contains($0) }
    notices = Array(kept)
    return gone.flatMap { [Self.path(of: .label($0)), Self.path(of: .notification($0))] }
  }

  /// The time at which the oldest notification goes.
  package var due: Int64? { notices.first.map { $0.time + Self.lifetime } }

  /// A reference to an object of ours, as signals and methods bear it.
  package func reference(to path: String) -> DBusValue {
    .structure([.string(connection), .path(path)])
  }

  // MARK: Answers

  /// Answers a call to an object.
  package func respond(
    _ path: String,
    _ interface: String,
    _ member: String,
    _ values: [DBusValue]
  ) -> DBusAnswer {
    switch (interface, member) {
    case ("org.a11y.atspi.Cache", "GetItems"):
      return .values([.list("((so)(so)(so)iiassusau)", [])])
    case ("org.freedesktop.DBus.Properties", "Set"): return .values([])
    case ("org.freedesktop.DBus.Properties", "Get"):
      guard let node = node(at: path), values.count == 2, let name = values[1].text,
        let value = property(name, of: node)
      else { return .unknown }
      return .values([.variant(value)])
    case ("org.freedesktop.DBus.Properties", "GetAll"):
      guard let node = node(at: path), let interface = values.first?.text else { return .unknown }
      let names = interface == Self.application ? Self.ofApplication : Self.ofObject
      return .values([
        .dictionary(
          names.compactMap { name in
            property(name, of: node).map { .init(name, .variant($0)) }
          }
        )
      ])
    case (Self.accessible, _):
      guard let node = node(at: path), let value = quality(member, of: node, values) else {
        return .unknown
      }
      return .values([value])
    case (Self.application, "GetLocale"): return .values([.string("")])
    default: return .unknown
    }
  }

  private static let ofObject = ["Name", "Description", "Parent", "ChildCount", "Locale"]
  private static let ofApplication = ["ToolkitName", "Version", "AtspiVersion", "Id"]

  private func property(_ name: String, of node: Node) -> DBusValue? {
    switch name {
    case "Name":
      switch node {
      case .root: .string(Ears.ownName)
      case .label(let notice): .string(notice.text)
      case .bar, .notification: .string("")
      }
    case "Parent": reference(to: parent(of: node))
    case "ChildCount": .int32(Int32(children(of: node).count))
    case "Description", "Locale", "AccessibleId", "HelpText": .string("")
    case "ToolkitName": .string("a11yd")
    case "Version", "ToolkitVersion": .string("1")
    case "AtspiVersion": .string("2.1")
    case "Id": .int32(0)
    default: nil
    }
  }

  private func quality(_ member: String, of node: Node, _ values: [DBusValue]) -> DBusValue? {
    switch member {
    case "GetRole": return .uint32(UInt32(role(of: node).number))
    case "GetRoleName", "GetLocalizedRoleName": return .string(role(of: node).name)
    case "GetState": return .list("u", [.uint32(Self.shown), .uint32(0)])
    case "GetAttributes": return .dictionary([.init("toolkit", .string("a11yd"))])
    case "GetRelationSet": return .list("(ua(so))", [])
    case "GetApplication": return reference(to: Self.root)
    case "GetInterfaces":
      let all = [Self.accessible] + (node == .root ? [Self.application] : [])
      return .list("s", all.map(DBusValue.string))
    case "GetChildren":
      return .list("(so)", children(of: node).map { reference(to: Self.path(of: $0)) })
    case "GetChildAtIndex":
      let all = children(of: node)
      guard let index = values.first?.number, all.indices.contains(Int(index)) else {
        return reference(to: Self.null)
      }
      return reference(to: Self.path(of: all[Int(index)]))
    case "GetIndexInParent": return .int32(Int32(index(of: node)))
    default: return nil
    }
  }

  // MARK: The tree

  /// The states enabled, sensitive, showing and visible.
  private static let shown: UInt32 = [8, 24, 25, 30].reduce(0) { $0 | 1 << $1 }

  private func node(at path: String) -> Node? {
    switch path {
    case Self.root: return .root
    case Self.bar: return .bar
    default:
      guard path.hasPrefix(Self.folder) else { return nil }
      let words = path.dropFirst(Self.folder.count).split(separator: "_")
      guard words.count == 2, let number = Int(words[1]),
        let notice = notices.first(where: { $0.number == number })
      else { return nil }
      return words[0] == "label" ? .label(notice) : .notification(notice)
    }
  }

  private static func path(of node: Node) -> String {
    switch node {
    case .root: root
    case .bar: bar
    case .notification(let notice): "\(folder)notification_\(notice.number)"
    case .label(let notice): "\(folder)label_\(notice.number)"
    }
  }

  private func parent(of node: Node) -> DBusReference {
    switch node {
    case .root: desktop.map { ($0.sender, $0.path) } ?? (connection, Self.null)
    case .bar: (connection, Self.root)
    case .notification: (connection, Self.bar)
    case .label(let notice): (connection, Self.path(of: .notification(notice)))
    }
  }
  private typealias DBusReference = (connection: String, path: String)

  private func reference(to place: DBusReference) -> DBusValue {
    .structure([.string(place.connection), .path(place.path)])
  }

  private func children(of node: Node) -> [Node] {
    switch node {
    case .root: [.bar]
    case .bar: notices.map(Node.notification)
    case .notification(let notice): [.label(notice)]
    case .label: []
    }
  }

  private func index(of node: Node) -> Int {
    if case .notification(let notice) = node { notices.firstIndex(of: notice) ?? -1 } else { 0 }
  }

  private func role(of node: Node) -> (number: Int64, name: String) {
    switch node {
    case .root: (75, "application")
    case .bar: (54, "status bar")
    case .notification: (AtspiRole.notification.number, "notification")
    case .label: (29, "label")
    }
  }
}
