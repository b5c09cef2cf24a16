// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yToml
import Foundation

/// A file of the tree that has what a test computes: sentences that programs print, or an example
/// in a document.
///
/// With `A11Y_UPDATE=1` in the environment the file is written anew, and `git diff` shows what a
/// change means for those who read it; without it, a difference is a failure.
package struct KeptText {
  private let path: String
  private let url: URL

  package init(_ path: String) {
    self.path = path
    url = URL(filePath: #filePath).appending(path: "../../../\(path)").standardizedFileURL
  }

  /// What the file has; nothing where there is none yet.
  package var text: String { (try? String(contentsOf: url, encoding: .utf8)) ?? "" }

  /// The first line that is not as computed, in words; nil where all are.
  package func difference(from computed: String) throws -> String? {
    guard computed != text else { return nil }
    if ProcessInfo.processInfo.environment["A11Y_UPDATE"] == "1" {
      try computed.write(to: url, atomically: true, encoding: .utf8)
      return nil
    }
    let kept = text.split(separator: "\n", omittingEmptySubsequences: false)
    let lines = computed.split(separator: "\n", omittingEmptySubsequences: false)
    let place = zip(kept, lines).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    let line = place ?? min(kept.count, lines.count)
    return """
      \(path):\(line + 1) has:  \(line < kept.count ? kept[line] : "nothing")
      computed is:  \(line < lines.count ? lines[line] : "nothing")
      A11Y_UPDATE=1 writes what is computed.
      """
  }

  /// The same of a file that has below each line of JSON what is computed of it, indented.
  ///
  /// `heading` is the last line before it that begins with a number sign. All lines but the
  /// computed ones stay as they are, so that a new case is one line and an update.
  package func difference(
    below compute: (_ heading: String, _ line: String) throws -> [String]
  ) throws -> String? {
    var (computed, heading) = ("", "")
    // A file that is missing, or has no case, would pass.
    let kept = try String(contentsOf: url, encoding: .utf8)
    guard kept.contains("\n{") || kept.hasPrefix("{") else { return "\(path) has no case." }
    for line in kept.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    where !line.hasPrefix("  ") {
      computed += "\(line)\n"
      if line.hasPrefix("#") { heading = String(line) }
      guard line.hasPrefix("{") else { continue }
      for told in try compute(heading, String(line)) { computed += "  \(told)\n" }
    }
    return try difference(from: computed)
  }

  /// The same of a file of settings, in which the values alone are computed.
  ///
  /// All that there are stand there, one without a value as a comment, with an example.
  package func difference(
    settings: [(table: String, key: String, value: String?)]
  ) throws -> String? {
    let kept = try String(contentsOf: url, encoding: .utf8)
    var (computed, table, left, isInList) = ("", "", settings, false)
    for line in kept.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      if line.hasPrefix("[") { table = String(line.dropFirst().prefix { $0 != "]" }) }
      let isExample = line.hasPrefix("# ")
      let words = line.dropFirst(isExample ? 2 : 0)
      let key = words.firstRange(of: " = ").map { String(words[..<$0.lowerBound]) }
      let place = left.firstIndex { $0.table == table && $0.key == key }
      let value = place.map { left.remove(at: $0).value } ?? nil
      if let key, !isExample {
        computed += Self.line(key, value ?? "?")
        isInList = line.hasSuffix("[")
      } else if isInList {
        isInList = line != "]"
      } else {
        computed += "\(line)\n"
      }
    }
    if let missing = left.first { return "\(path) lacks \(missing.key) in [\(missing.table)]." }
    return try difference(from: computed)
  }

  /// The same of the shipped file of a program around the bus, which is read as its defaults,
  /// without a complaint.
  package func difference<Settings: CompanionSettings & Equatable>(
    fromDefaultsOf _: Settings.Type
  ) throws -> String? {
    let settings = Settings.all.map { ($0.table, $0.key, $0.show(Settings())) }
    if let difference = try difference(settings: settings) { return difference }
    let loaded = LoadedCompanionSettings<Settings>(text: text, fileName: path)
    if let complaint = loaded.complaints.first { return "\(complaint)" }
    return loaded.settings == Settings() ? nil : "\(path) is not read as the defaults."
  }

  /// A setting on one line, or as a list that fits the width.
  private static func line(_ key: String, _ value: String) -> String {
    let line = "\(key) = \(value)"
    guard line.count > 100, value.hasPrefix("[") else { return line + "\n" }
    var (done, last) = ("\(key) = [\n", " ")
    for item in value.dropFirst().dropLast().split(separator: ", ") {
      if last.count + item.count + 2 > 100 { (done, last) = (done + last + "\n", " ") }
      last += " \(item),"
    }
    return done + last + "\n]\n"
  }
}
