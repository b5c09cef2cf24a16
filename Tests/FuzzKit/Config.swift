// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yRules
import A11yToml
import A11yWire
import A11yDaemon

/// A configuration file or one of rules: it is understood, or every complaint points at a place.
enum Config {
  static func take(_ input: [UInt8]) throws(Broken) {
    let text = Text(input)
    try checkRules(input, text)
    let loaded = LoadedSettings(text: input, fileName: "a.toml", over: Settings())
    let settings = loaded.settings
    for complaint in loaded.complaints { try text.check(complaint) }
    let entries: [TomlEntry]
    do throws(Complaints) {
      entries = try TomlText(input, fileName: "a.toml").entries
    } catch {
      entries = []
      try demand(!loaded.complaints.isEmpty, "what is no TOML was read without a complaint")
      try demand(!error.all.isEmpty, "a refusal without a complaint")
    }
    for entry in entries { try text.check(entry) }
    try demand(
      settings.limits.inBuffer >= 66_560 && settings.limits.connections > 0
        && settings.log.segmentBytes >= .kibibytes(4),
      "settings are out of their bounds: \(settings)"
    )
  }

  private static func checkRules(_ input: [UInt8], _ text: Text) throws(Broken) {
    let rules: [Rule]
    do throws(Complaints) {
      rules = try Rule.read(text: input, fileName: "a.toml")
    } catch {
      try demand(!error.all.isEmpty, "a refusal without a complaint")
      for complaint in error.all { try text.check(complaint) }
      return
    }
    for rule in rules { try demand(!rule.name.isEmpty, "a rule without a name") }
  }

  /// The lines and columns that a complaint may name.
  private struct Text {
    /// How many characters each line has.
    let lines: [Int]

    init(_ input: [UInt8]) {
      lines = input.split(separator: 10, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self).unicodeScalars.count }
    }

    func check(_ entry: TomlEntry) throws(Broken) {
      try check(line: entry.line, column: entry.column, "\(entry.fullName)")
      guard case .array(let items) = entry.value else { return }
      for item in items { try check(line: item.line, column: item.column, "\(entry.fullName)") }
    }

    func check(_ complaint: Complaint) throws(Broken) {
      guard let line = complaint.line, let column = complaint.column else {
        throw Broken("no place: \(complaint)")
      }
      try check(line: line, column: column, "\(complaint)")
      try demand(!complaint.words.isEmpty, "no words: \(complaint)")
      try demand(
        complaint.words.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control },
        "words that move the cursor: \(complaint)"
      )
    }

    /// The end of a line is a character too, and behind the last one is a place.
    private func check(line: Int, column: Int, _ words: String) throws(Broken) {
      try demand((1...lines.count).contains(line), "no such line: \(words)")
      try demand((1...lines[line - 1] + 2).contains(column), "no such column: \(words)")
    }
  }
}
