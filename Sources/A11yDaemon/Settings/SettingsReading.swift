// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yToml
import A11yPosix
import A11yWire

/// One text on its way into the settings.
struct SettingsReading {
  private(set) var settings: Settings
  private let known = Setting.all
  private let tables: [String]

  init(settings: Settings) {
    self.settings = settings
    tables = known.map(\.table).reduce(into: []) { names, name in
      if names.last != name { names.append(name) }
    }
  }

  /// Takes one entry over, or says what is wrong with it.
  mutating func take(_ entry: TomlEntry) -> String? {
    if entry.path.isEmpty { return head(entry) }
    // A table that is not ours was refused at its head; its keys are passed over.
    guard tables.contains(entry.path) else { return nil }
    guard let setting = known.first(where: { $0.table == entry.path && $0.key == entry.key }) else {
      return stranger(entry)
    }
    return setting.take(entry.value, &settings).map {
      "\(entry.fullName): \($0); got \(entry.value)"
    }
  }

  /// Answers an entry outside of all tables: it should be the head of one of ours.
  private func head(_ entry: TomlEntry) -> String? {
    let name = String(entry.key.prefix { $0 != "[" })
    let isTable = entry.value == .table
    if isTable, name == "rule" {
      return "rules have files of their own, in a directory that dirs of table rules names"
    }
    if tables.contains(name) {
      if isTable, name == entry.key { return nil }
      return "expected one table [\(name)]; got \(isTable ? "[[\(name)]]" : "\(entry.value)")"
    }
    guard isTable else { return stranger(entry) }
    return "expected one of the tables \(tables.joined(separator: ", ")); got \(name)"
      + question(NearestName.to(name, among: tables))
  }

  /// Answers a key that we do not know where it stands.
  private func stranger(_ entry: TomlEntry) -> String {
    if entry.path == "limits",
      let limit = Limits.Told.all.first(where: { $0.isFixed && "\($0.name)" == entry.key })
    {
      let value = limit.value(settings.quotas)
      return "\(entry.key) is fixed at \(value) by the protocol and cannot be set; "
        + "those that can are \(keys(of: "limits"))"
    }
    if let home = known.first(where: { $0.key == entry.key }) {
      return "\(entry.key) belongs into the table [\(home.table)]"
    }
    guard !entry.path.isEmpty else {
      return "expected a table such as [log]; got the key \(entry.key)"
        + question(NearestName.to(entry.key, among: known.map(\.key)))
    }
    let here = known.filter { $0.table == entry.path }.map(\.key)
    return "expected one of \(keys(of: entry.path)) in [\(entry.path)]; got \(entry.key)"
      + question(NearestName.to(entry.key, among: here + known.map(\.key)))
  }

  private func keys(of table: String) -> String {
    known.filter { $0.table == table }.map(\.key).joined(separator: ", ")
  }

  private func question(_ name: String?) -> String {
    name.map { "; did you mean \($0)?" } ?? ""
  }
}
