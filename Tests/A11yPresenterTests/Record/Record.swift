// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPresenter
import A11yModel
import A11yRules
import A11yTestKit
import A11yWire

/// A presenter as the lines of a `.state` file.
enum Record {
  static func lines(_ presenter: Presenter) -> [String] {
    var out = ByteBuffer(capacity: 0)
    presenter.writeRecord(into: &out)
    var replica = Replica(presenter.model)
    while replica.write(into: &out, budget: 10_000) {}
    return out.bytes.string.split(separator: "\n").map(String.init)
  }

  /// The first two lines that differ; nil where none do.
  static func difference(_ a: [String], _ b: [String]) -> String? {
    if let index = zip(a, b).enumerated().first(where: { $1.0 != $1.1 })?.offset {
      return "\(a[index])\n\(b[index])"
    }
    return a.count == b.count ? nil : "\(a.count) lines and \(b.count)"
  }

  /// The presenter that they tell of; nil where one of them is none.
  static func presenter(_ lines: [String]) -> Presenter? {
    var presenter = Presenter(rules: RuleSet())
    for line in lines {
      var isTaken = false
      read(line) { isTaken = presenter.restore($0) }
      if !isTaken { return nil }
    }
    return presenter
  }

  static func read(_ line: String, _ body: (JSONDocument) -> Void) {
    let reader = JSONReader(limit: Limits.answerBytes)
    let line = line.hasSuffix("\n") ? String(line.dropLast()) : line
    do throws(JSONFault) {
      try reader.read(Array(line.utf8).span)
    } catch {
      fatalError("a line in a test is one: \(line): \(error)")
    }
    body(reader.document)
  }
}

extension Presenter {
  mutating func follow(_ lines: some Sequence<String>) {
    for line in lines { Record.read(line) { follow($0) } }
  }
}

/// The comparison of a recorded log with decisions that are made anew.
enum Retelling {
  private static let decisions: Set<String> = ["deliver", "silence", "outcome", "gesture", "focus"]

  /// The first line that the presenter would have written otherwise; nil where there is none.
  static func difference(_ presenter: inout Presenter, _ lines: some Sequence<String>) -> String? {
    for line in lines {
      var words: String?
      Record.read(line) { words = difference(&presenter, $0, line) }
      if let words { return words }
    }
    return nil
  }

  private static func difference(
    _ presenter: inout Presenter,
    _ entry: JSONDocument,
    _ line: String
  ) -> String? {
    guard let event = entry.member("event", of: 0), let type = entry.string("type", of: event),
      let mono = entry.integer("mono", of: 0), let seq = entry.integer("seq", of: 0)
    else { return "no entry: \(line)" }
    let isCalm = type == "do-not-disturb" && entry.integer("conn", of: 0) == 0
    guard decisions.contains(type) || isCalm else {
      if type != "opened" {
        while let due = presenter.due?.microseconds, due <= mono {
          presenter.ring()
          if presenter.hasDecided { return "decided before \(line)" }
        }
      }
      presenter.take(entry)
      return nil
    }
    while !presenter.hasDecided, let due = presenter.due?.microseconds, due <= mono {
      presenter.ring()
    }
    let now = presenter.now.microseconds
    guard let decision = presenter.next(as: Seq(seq)) else { return "nothing for \(line)" }
    var out = ByteBuffer(capacity: 0)
    out.append(#""event":{"type":""#)
    out.append(text: decision.type)
    out.append("\"")
    decision.write(into: &out)
    out.append("}")
    let words = out.bytes.string
    guard line.contains(words), now == mono else { return "at \(now) \(words) for \(line)" }
    if decision.isTaken { presenter.take(entry) }
    return nil
  }
}
