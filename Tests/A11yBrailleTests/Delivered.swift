// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yToml
import A11yWire
import Testing

@testable import A11yBraille

/// A board that gets deliveries as the log has them, and a clock that is told the time.
struct Delivered {
  var board: Board
  /// The time in milliseconds.
  var now: Int64 = 0
  private let reader = JSONReader(limit: 65_536)

  /// A display of forty cells, 100 ms for each character, at least 1 s and at most 10 s.
  init(columns: Int = 40, rows: Int = 1) throws {
    let settings = LoadedCompanionSettings<BrailleSettings>(
      text: "[braille]\nms_per_character = 100\nshortest = \"1 s\"\nlongest = \"10 s\"\n",
      fileName: "braille.toml"
    )
    try #require(settings.complaints.isEmpty)
    board = Board(settings.settings)
    board.resize(to: DisplaySize(columns: columns, rows: rows), at: 0)
  }

  /// The display without the blanks at its end; nil where it is BRLTTY's.
  var shown: String? {
    board.cells.map { cells in
      String(cells.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// Moves the clock, and rings what is due on the way.
  mutating func wait(_ milliseconds: Int64) {
    let end = now + milliseconds
    while let due = board.due, due <= end * 1_000 {
      board.ring(at: due)
    }
    now = end
    board.ring(at: now * 1_000)
  }

  mutating func deliver(
    _ text: String,
    seq: Int64,
    of events: [Int64]? = nil,
    _ priority: String = "default",
    _ fields: String = ""
  ) throws {
    try deliver(
      speak: #"[{"text":"\#(text)"}]"#,
      seq: seq,
      of: events ?? [seq - 1],
      #","priority":"\#(priority)"\#(fields)"#
    )
  }

  mutating func deliver(
    speak: String,
    seq: Int64,
    of events: [Int64],
    _ fields: String = ""
  ) throws {
    let of = events.map(String.init).joined(separator: ",")
    let event = #"{"type":"deliver","of":[\#(of)],"to":9,"speak":\#(speak)\#(fields)}"#
    let line =
      #"{"seq":\#(seq),"time":0,"mono":0,"app":"a11yd","uid":1,"conn":0,"event":\#(event)}"#
    try reader.read(Array(line.utf8).span)
    let delivery = try #require(Entry(seq, reader.document).delivery)
    board.accept(delivery, at: now * 1_000)
  }

  mutating func secret(of seq: Int64, kind: String, _ runs: String...) {
    let words = SpeechText(runs: runs.map { SpeechText.Run($0) })
    board.receiveSecret(of: seq, kind: kind, words, at: now * 1_000)
  }

  mutating func withdraw(_ event: Int64) { board.withdraw(event, at: now * 1_000) }

  /// Plugs another display in, or none.
  mutating func resize(to size: DisplaySize?) { board.resize(to: size, at: now * 1_000) }

  mutating func press(_ keys: Board.Key...) {
    for key in keys { board.press(key, at: now * 1_000) }
  }
}
