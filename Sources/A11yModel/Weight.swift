// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

// The weight of apps: the bytes of the ids and texts of their windows and elements.
extension Model {
  /// The bytes of an app.
  public func bytes(of app: AppKey) -> Int { apps[app]?.bytes ?? 0 }

  /// The bytes of all apps of a user.
  public func bytes(of uid: UInt32) -> Int { shares[uid] ?? 0 }

  /// The heaviest app of a user among those with a connected client.
  public func heaviestApp(of uid: UInt32) -> AppKey? {
    var heaviest: (key: AppKey, bytes: Int)?
    for (key, app) in apps where key.uid == uid && app.connections > 0 {
      if let heaviest, (heaviest.bytes, heaviest.key.app.text) >= (app.bytes, key.app.text) {
        continue
      }
      heaviest = (key, app.bytes)
    }
    return heaviest?.key
  }

  /// Counts `more` bytes to an app, to its user and to the model.
  mutating func weigh(_ key: AppKey, _ more: Int) {
    guard more != 0 else { return }
    apps[key]?.bytes += more
    bytes += more
    let share = (shares[key.uid] ?? 0) + more
    shares[key.uid] = share == 0 ? nil : share
  }

  /// The most bytes that an event would add by its ids and texts.
  func growth(
    of event: JSONIndex,
    _ type: EventType,
    in entry: JSONDocument,
    _ known: KnownWindow?
  ) -> Int {
    if type == .window {
      guard let title = entry.member("title", of: event) else { return 0 }
      return entry.byteCount(title) - (known?.title?.utf8.count ?? 0)
    }
    var growth = 0
    var tree = known?.tree
    for field in ["replace", "upsert"] as [StaticString] {
      guard let list = entry.list(field, of: event) else { continue }
      if field.description == "replace" {
        growth -= tree?.bytes ?? 0
        tree = nil
      }
      var item = list + 1
      while item < entry.end(list) {
        if let id = entry.name("id", of: item) {
          let element = tree?[id]
          if element == nil { growth += id.text.utf8.count }
          growth += (element ?? KnownElement()).growth(item, of: entry)
        }
        if let parent = entry.name("parent", of: item), tree?.find(parent) == nil {
          growth += parent.text.utf8.count
        }
        item = entry.end(item)
      }
    }
    return growth
  }
}
