// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yExplain
import A11yPosix
import A11yWire

/// The entries to forget, by the options of the command line.
struct Forgettable {
  let selection: Selection
  let apps: [String]?
  private let uids: [Int64]?
  private var before: Int64? { selection.before }

  init(_ words: CommandWords, now: Int64) throws(Failure) {
    apps = words.values("app")
    uids = try words.values("uid")?.map { word throws(Failure) in
      guard let uid = UInt32(word) else {
        throw Failure(.usage, "--uid expects the number of a user; got \(word).")
      }
      return Int64(uid)
    }
    selection = Selection(
      apps: apps.map(Set.init),
      uids: uids.map(Set.init),
      before: try words.moment("before", now: now)
    )
    if selection.isEmpty {
      throw Failure(.usage, "At least one of --app, --uid and --before is expected.")
    }
  }

  /// The members of the request to the bus.
  var fields: [JSONValue.Member] {
    var fields: [JSONValue.Member] = []
    if let apps { fields.append(.init("apps", .list(apps.map { .string($0) }))) }
    if let uids { fields.append(.init("uids", .list(uids.map { .integer($0) }))) }
    if let before { fields.append(.init("before", .integer(before))) }
    return fields
  }

  /// “of org.x, of user 1000, from before 2026-11-21 13:05:00”.
  var words: String {
    var parts: [String] = []
    if let apps { parts.append("of " + Sentences.listed(apps)) }
    if let uids { parts.append("of user " + Sentences.listed(uids.map(String.init))) }
    if let before { parts.append("from before \(ClockTime.dayAndTime(before))") }
    return VisibleText.of(parts.joined(separator: ", "))
  }
}
