// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
package import A11yWire

/// A subscriber's choice of entries, judged on the line as it stands in the log.
///
/// Only the stored line counts, so that a replay is filtered exactly as the live stream was. Within
/// a list one match is enough; all lists that are given must match.
package final class Filter: Sendable, Equatable {
  private let types: Names?
  private let apps: Names?
  private let windows: Names?
  private let elements: Names?
  private let priorities: Names?
  /// The entries that the client may see at all; nil for all.
  let confinement: Confinement?

  /// The filter of a request; nil where everything passes.
  init?(_ document: JSONDocument, _ value: JSONIndex?, within confinement: Confinement?) {
    guard value != nil || confinement != nil else { return nil }
    self.confinement = confinement
    func list(_ name: StaticString) -> Names? {
      Self.list(document, value.flatMap { document.member(name, of: $0) })
    }
    types = list("types")
    apps = list("apps")
    windows = list("windows")
    elements = list("elements")
    priorities = list("priorities")
  }

  /// A filter by these lists; one that is nil lets all pass.
  package init(
    types: [String]?,
    apps: [String]?,
    windows: [String]? = nil,
    elements: [String]? = nil,
    priorities: [String]? = nil
  ) {
    func names(_ list: [String]?) -> Names? { list.map { Names($0.map { Array($0.utf8) }) } }
    confinement = nil
    self.types = names(types)
    self.apps = names(apps)
    self.windows = names(windows)
    self.elements = names(elements)
    self.priorities = names(priorities)
  }

  package static func == (a: Filter, b: Filter) -> Bool {
    a.types == b.types && a.apps == b.apps && a.windows == b.windows && a.elements == b.elements
      && a.priorities == b.priorities && a.confinement == b.confinement
  }

  private static func list(_ document: JSONDocument, _ list: JSONIndex?) -> Names? {
    guard let list else { return nil }
    var words: [[UInt8]] = []
    var item = list + 1
    while item < document.end(list) {
      words.append(Array(document.string(item).utf8))
      item = document.end(item)
    }
    return Names(words)
  }

  /// Whether deliveries can pass.
  var admitsDeliveries: Bool {
    types?.contain(Array(EventType.Own.deliver.rawValue.utf8).span) ?? true
  }

  /// Whether an entry passes.
  package func admits(_ entry: JSONDocument) -> Bool { admits(entry, EntryView(of: entry)) }

  /// Whether the entry with this envelope passes.
  func admits(_ entry: JSONDocument, _ envelope: EntryView) -> Bool {
    guard let event = envelope.event, let subject = envelope.subject else { return false }
    if let confinement, !envelope.isOpen(to: confinement) { return false }
    if let types, !entry.any(entry.member("type", of: event), of: types) { return false }
    if let apps {
      let app = entry.member("app", of: subject) ?? entry.member("app", of: entry.root)
      if !entry.any(app, of: apps) { return false }
    }
    if let windows, !entry.any(entry.member("window", of: event), of: windows) { return false }
    if let elements, !touches(elements, entry, event) { return false }
    if let priorities, !hasPriority(priorities, entry, event) { return false }
    return true
  }

  private func touches(
    _ elements: Names,
    _ entry: JSONDocument,
    _ event: JSONIndex
  ) -> Bool {
    if entry.any(entry.member("element", of: event), of: elements) { return true }
    for name in ["upsert", "replace", "remove"] as [StaticString] {
      guard let list = entry.member(name, of: event) else { continue }
      var item = list + 1
      while item < entry.end(list) {
        let id = entry.kind(item) == .object ? entry.member("id", of: item) : item
        if entry.any(id, of: elements) { return true }
        item = entry.end(item)
      }
    }
    return false
  }

  private func hasPriority(
    _ priorities: Names,
    _ entry: JSONDocument,
    _ event: JSONIndex
  ) -> Bool {
    if let priority = entry.member("priority", of: event) {
      return entry.any(priority, of: priorities)
    }
    guard entry.string("type", of: event) == EventType.announcement.rawValue else { return false }
    return priorities.contain(Array("default".utf8).span)
  }
}

extension JSONDocument {
  /// Whether the value is a string and one of `words`.
  fileprivate func any(_ value: JSONIndex?, of words: Names) -> Bool {
    guard let value, kind(value) == .string else { return false }
    if isEscaped(value) { return words.contain(Array(string(value).utf8).span) }
    return words.contain(raw(value))
  }
}
