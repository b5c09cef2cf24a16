// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yModel
import A11yPosix
import A11yRules
import A11yWire

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
    let envelope = Envelope(of: entry)
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
