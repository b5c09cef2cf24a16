// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// The entries that leave the machine, by app and by type; a list that is empty lets all pass.
///
/// Others are absent in the engine, and their seqs with them. The beginning and the end of a run of
/// the bus and what it forgets leave always: without them nobody could follow the log.
package struct ForwardFilter: Equatable, Sendable {
  package var apps: [String] = []
  package var types: [String] = []

  /// Names in a list; more would be a program of their own.
  package static let most = 64

  package init(apps: [String] = [], types: [String] = []) {
    self.apps = apps
    self.types = types
  }

  /// The mistake in a list of types; nil where each of them is the type of an entry.
  package static func complaint(about types: [String]) -> String? {
    let strange = types.first {
      EventType(rawValue: $0) == nil && EventType.Own(rawValue: $0) == nil
    }
    return strange.map { "expected types of entries, such as announcement or outcome; got \($0)" }
  }

  package var isOpen: Bool { apps.isEmpty && types.isEmpty }

  /// Whether an entry leaves.
  package func admits(_ entry: JSONDocument) -> Bool {
    if isOpen { return true }
    let view = EntryView(of: entry)
    guard let type = view.type else { return false }
    if view.isOwn, Self.always.contains(type) { return true }
    if !types.isEmpty, !types.contains(type) { return false }
    guard !apps.isEmpty else { return true }
    let app = view.isOwn ? view.string("app") : nil
    return (app ?? view.app).map(apps.contains) ?? false
  }

  private static let always = [EventType.Own.opened, .closed, .forgot].map(\.rawValue)

  /// The choice in words, to go behind “the log”; empty where all leave.
  package var words: String {
    let lists = [("of type", types), ("of", apps)].filter { !$0.1.isEmpty }
    let parts = lists.map { "\($0.0) \($0.1.joined(separator: ", "))" }
    return parts.isEmpty ? "" : ", only entries \(parts.joined(separator: " and "))"
  }
}
