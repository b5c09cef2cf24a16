// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation
import Testing

/// The log of a daemon as it grows, read by somebody who speaks nothing.
final class SpeechLog {
  /// An entry, with its event.
  struct Line {
    let seq: Int64
    let mono: Int64
    let event: JSON
    let text: String

    var type: String { event["type"].string ?? "" }

    /// The words of a delivery.
    var words: String {
      (event["speak"].list ?? []).compactMap { $0["text"].string }.joined()
    }
  }

  private let client: RawClient
  private(set) var lines: [Line] = []

  /// Reads from a cursor on, or from the beginning.
  init(_ socket: String, from cursor: String = "start") throws {
    client = try RawClient(socket)
    let hello = #"{"id":"h","op":"hello","app":"observer","role":"reader","speech":0}"#
    try #require(try client.ask(hello)["ok"].isThere)
    try client.subscribe(#","from":"\#(cursor)""#)
  }

  /// The first line from a seq on that is asked for, which has to come in time.
  @discardableResult
  func wait(
    for what: String,
    from seq: Int64 = 1,
    within patience: Duration = .seconds(20),
    where isIt: (Line) -> Bool
  ) throws -> Line {
    if let line = lines.first(where: { $0.seq >= seq && isIt($0) }) { return line }
    let deadline = Deadline(after: patience)
    while true {
      let entry: Entry
      do { entry = try client.entry() } catch let missing as Missing {
        if deadline.isOver { throw Missing("\(what): \(missing)") }
        continue
      }
      let json = try entry.json()
      let line = Line(
        seq: entry.seq,
        mono: try #require(json["mono"].integer),
        event: json["event"],
        text: entry.line
      )
      lines.append(line)
      if line.seq >= seq, isIt(line) { return line }
      if deadline.isOver { throw Missing("\(what)\n\(tail)") }
    }
  }

  /// Waits until every event so far has its outcome, so that nothing waits to be spoken.
  func waitForOutcomes() throws {
    try wait(for: "the outcomes of all events") { _ in
      let ended = Set(lines.filter { $0.type == "outcome" }.compactMap { $0.event["of"].integer })
      return lines.allSatisfy { !Self.ending.contains($0.type) || ended.contains($0.seq) }
    }
  }

  /// The types whose entries all end in an outcome.
  private static let ending: Set = [
    "announcement", "focus", "layout-changed", "page-scrolled", "screen-changed",
  ]

  /// The last lines, for the words of a failure.
  var tail: String {
    lines.suffix(12).map(\.text).joined(separator: "\n")
  }

  /// The delivery of an event.
  func delivery(of seq: Int64, again: Bool = false) throws -> Line {
    try wait(for: "the delivery of \(seq)") { line in
      line.type == "deliver" && line.event["of"].list?.contains(.integer(seq)) == true
        && line.event["again"].isThere == again
    }
  }

  /// A report on a delivery.
  @discardableResult
  func report(
    _ state: String,
    on delivery: Line,
    within patience: Duration = .seconds(20)
  ) throws -> Line {
    try wait(for: "\(state) of \(delivery.seq)", from: delivery.seq, within: patience) { line in
      line.type == "speech" && line.event["of"] == .integer(delivery.seq)
        && line.event["state"] == .string(state)
    }
  }

  /// The outcome of an event.
  func outcome(of seq: Int64, within patience: Duration = .seconds(20)) throws -> Line {
    try wait(for: "the outcome of \(seq)", from: seq, within: patience) { line in
      line.type == "outcome" && line.event["of"] == .integer(seq)
    }
  }
}
