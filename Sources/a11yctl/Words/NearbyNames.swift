// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yModel
import A11yPosix
import A11yRules
import A11yWire

/// The known names that an unknown one was probably meant to be.
enum NearbyNames {
  /// More than these are a list, in which the one that was meant is lost.
  private static let most = 4

  /// The nearest names: first those that begin with the typed one, then others that it is a part
  /// of, then those with few other letters.
  static func to(_ typed: String, among names: some Sequence<String>) -> [String] {
    let written = typed.lowercased()
    let all = Set(names).sorted()
    let parts = all.filter { $0.lowercased().contains(written) && !written.isEmpty }
    var near = parts.filter { $0.lowercased().hasPrefix(written) }
    near += parts.filter { !near.contains($0) }
    var rest = all.filter { !near.contains($0) }
    while near.count < most {
      // A typed word is compared with the last part of a name, too: Caht with org.example.Chat.
      let whole = Dictionary(rest.map { ($0.lowercased(), $0) }) { first, _ in first }
      let lasts = Dictionary(rest.map { (last($0).lowercased(), $0) }) { first, _ in first }
      guard
        let next = NearestName.to(typed, among: whole.keys.sorted()).flatMap({ whole[$0] })
          ?? NearestName.to(typed, among: lasts.keys.sorted()).flatMap({ lasts[$0] })
      else { break }
      near.append(next)
      rest.removeAll { $0 == next }
    }
    return Array(near.prefix(most))
  }

  /// “; did you mean a, b or c?”, or the end of the sentence.
  static func question(_ near: [String]) -> String {
    near.isEmpty ? "." : NearestName.question(near)
  }

  private static func last(_ name: String) -> String {
    name.split(separator: ".").last.map(String.init) ?? name
  }
}

/// The names of apps that there are, by which one that was typed wrongly is noticed.
struct AppNames {
  /// Names in a log beyond these are not offered.
  private static let most = 1_024

  /// The names that were asked for, in which `*` stands for anything.
  let wanted: [String]
  private var known: Set<String> = []

  /// The names on a command line; nil where none is asked for.
  init?(_ wanted: [String]?) {
    guard let wanted else { return nil }
    self.wanted = wanted
  }

  /// Collects the app that an entry is about.
  mutating func collect(_ entry: JSONDocument) {
    let envelope = EntryView(of: entry)
    for name in [envelope.app, envelope.subjectApp?.app.text] {
      if let name, known.count < Self.most { known.insert(name) }
    }
  }

  /// A sentence for each name that no entry had.
  var strangers: [String] { Self.strangers(wanted, among: known.sorted(), "in the log") }

  // MARK: On the bus

  /// The names of the apps that the bus knows; nil where it does not tell.
  static func known(at path: String) -> [String]? {
    let stats = try? BusConnection(path: path).request("stats")
    return stats.map { ($0["apps"]?.list ?? []).compactMap { $0["app"]?.string } }
  }

  /// A sentence for each name that the bus has not met.
  static func strangers(_ wanted: [String], at path: String) -> [String] {
    guard !wanted.isEmpty, let known = known(at: path) else { return [] }
    return strangers(wanted, among: known, "on the bus since it started")
  }

  /// A sentence for each name that none of these is.
  static func strangers(_ wanted: [String], among known: [String], _ place: String) -> [String] {
    wanted.filter { name in !known.contains { Pattern(name).matches(Name($0)) } }
      .map { name in
        let question = NearbyNames.question(NearbyNames.to(name, among: known))
        return VisibleText.of("No app of the name \(name) has been \(place)\(question)")
      }
  }
}

extension BusSocket {
  /// A sentence for each app that the bus has not met; none where it does not tell.
  func strangers(_ apps: [String]) -> [String] {
    (try? self(for: .operation(.stats))).map { AppNames.strangers(apps, at: $0) } ?? []
  }
}
