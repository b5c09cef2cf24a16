// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A key of our files that had another name before.
///
/// Nobody's settings stop to count because we have found a better word: the old name is read for
/// two versions more, and each reading warns. Then its row goes, and it is as unknown as any other.
package struct RenamedKey: Sendable {
  /// The old name with its table, as in "log.retain_days" or "rule.set.ttl".
  let old: String
  /// The name that the key has in the same table now.
  let new: String
  /// The first version that does not know the old name any more.
  let end: String

  package init(_ old: String, now new: String, until end: String) {
    self.old = old
    self.new = new
    self.end = end
  }

  /// All that are read today, in settings and in rules.
  package static let all: [RenamedKey] = []

  /// The entry under its new name; nil where it is not the one that is meant.
  func renaming(_ entry: TomlEntry) -> TomlEntry? {
    // Tables of an array have their number in brackets.
    let names = entry.fullName.split(separator: ".").map { $0.prefix { $0 != "[" } }
    guard names.joined(separator: ".") == old else { return nil }
    return TomlEntry(
      path: entry.path,
      key: new,
      line: entry.line,
      column: entry.column,
      value: entry.value
    )
  }

  /// The warning about an entry with the old name.
  func warning(about entry: TomlEntry, in fileName: String) -> Complaint {
    Complaint(
      fileName,
      line: entry.line,
      column: entry.column,
      "\(entry.fullName): this key is called \(new) now; version \(end) will not know the old name"
    )
  }
}
