// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// The filter of the protocol in so few words that it is plainly right, to judge the fast one by.
struct SimpleFilter {
  private var lists: [String: Set<[UInt8]>] = [:]
  /// Of the publish socket: apps see only what concerns themselves.
  private let isOwn: Bool

  init(_ request: borrowing JSONDocument, _ value: JSONIndex?, isOwn: Bool) {
    self.isOwn = isOwn
    guard let value else { return }
    for name in ["types", "apps", "windows", "elements", "priorities"] as [StaticString] {
      guard let list = request.member(name, of: value) else { continue }
      lists[name.description] = Set(
        Self.items(of: list, in: request).compactMap { item in
          Self.words(item, in: request)
        }
      )
    }
  }

  func admits(_ entry: borrowing JSONDocument) -> Bool {
    guard let event = entry.member("event", of: 0) else { return false }
    let type = Self.words(entry.member("type", of: event), in: entry)
    // An entry of the bus belongs to the app that it is about.
    let isOfTheBus = entry.integer("conn", of: 0) == 0
    let subject = isOfTheBus ? event : 0
    let app = Self.words(entry.member("app", of: subject), in: entry)
    if isOwn, type != Array("voiceover-status".utf8) {
      guard app == Array("uid:1000".utf8), entry.integer("uid", of: subject) == 1_000 else {
        return false
      }
    }
    // Where the bus names no app, the entry is its own.
    let member = entry.member("app", of: subject) ?? entry.member("app", of: 0)
    return has("types", type) && has("apps", Self.words(member, in: entry))
      && has("windows", Self.words(entry.member("window", of: event), in: entry))
      && hasElement(entry, event) && has("priorities", priority(entry, event, type))
  }

  private func has(_ list: String, _ words: [UInt8]?) -> Bool {
    guard let list = lists[list] else { return true }
    return words.map(list.contains) ?? false
  }

  private func hasElement(_ entry: borrowing JSONDocument, _ event: JSONIndex) -> Bool {
    var ids = [Self.words(entry.member("element", of: event), in: entry)]
    for name in ["upsert", "replace", "remove"] as [StaticString] {
      guard let list = entry.member(name, of: event) else { continue }
      for item in Self.items(of: list, in: entry) {
        let id = entry.kind(item) == .object ? entry.member("id", of: item) : item
        ids.append(Self.words(id, in: entry))
      }
    }
    return lists["elements"] == nil || ids.contains { $0 != nil && has("elements", $0) }
  }

  private func priority(
    _ entry: borrowing JSONDocument,
    _ event: JSONIndex,
    _ type: [UInt8]?
  ) -> [UInt8]? {
    if let priority = entry.member("priority", of: event) { return Self.words(priority, in: entry) }
    return type == Array("announcement".utf8) ? Array("default".utf8) : nil
  }

  private static func items(of list: JSONIndex, in document: borrowing JSONDocument) -> [JSONIndex]
  {
    var items: [JSONIndex] = []
    var item = list + 1
    while item < document.end(list) {
      items.append(item)
      item = document.end(item)
    }
    return items
  }

  private static func words(_ value: JSONIndex?, in document: borrowing JSONDocument) -> [UInt8]? {
    guard let value, document.kind(value) == .string else { return nil }
    return Array(document.string(value).utf8)
  }
}
