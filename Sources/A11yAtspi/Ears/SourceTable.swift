// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Facts about sources, of which the one unused for longest goes at the bound.
struct SourceTable {
  private struct Row {
    var facts: SourceFacts
    var use: UInt64
  }

  /// More than a session's programs change between two restarts of theirs.
  static let most = 4_096
  /// Rows that go at once, so that the search for the oldest ones is rare.
  private static let sweep = 512

  private var rows: [SourceObject: Row] = [:]
  private var uses: UInt64 = 0

  var count: Int { rows.count }

  subscript(source: SourceObject) -> SourceFacts? {
    mutating get {
      uses += 1
      rows[source]?.use = uses
      return rows[source]?.facts
    }
    set {
      uses += 1
      rows[source] = newValue.map { Row(facts: $0, use: uses) }
      if rows.count > Self.most { forgetOldest() }
    }
  }

  mutating func removeAll(of sender: String) {
    rows = rows.filter { $0.key.sender != sender }
  }

  private mutating func forgetOldest() {
    let bound = rows.values.map(\.use).sorted()[Self.sweep]
    rows = rows.filter { $0.value.use >= bound }
  }
}
