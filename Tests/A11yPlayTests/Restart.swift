// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yPresenter
import A11yRules
import A11yWire

/// The lines that a start writes behind a log that was cut short, until nothing is pending.
struct Restart {
  private(set) var lines: [String] = []

  init(after kept: [String], pause: Int64) {
    var presenter = Presenter(rules: .defaults)
    let reader = JSONReader(limit: Limits.answerBytes)
    var mono: Int64 = 0
    for line in kept {
      do throws(JSONFault) {
        try reader.read(Array(line.utf8).span)
      } catch {
        fatalError("the log can be read")
      }
      presenter.follow(reader.document)
      mono = reader.document.integer("mono", of: reader.document.root) ?? mono
    }
    guard let epoch = Epoch(hex: String(repeating: "a", count: 32)) else {
      fatalError("it is an epoch")
    }
    let head = LogHead(
      epochs: [EpochStart(epoch: epoch, first: Seq(1))],
      first: Seq(1),
      last: Seq(Int64(kept.count))
    )
    var broker = Broker(
      log: head,
      presenter: presenter,
      uid: 1_000,
      quotas: Quotas(),
      recall: { _ in .gone }
    )
    var turn = Turn()
    var now = mono + pause
    broker.begin(&turn, at: Stamp(time: now, mono: now))
    var opening = LogOpening()
    opening.isClean = false
    broker.opened(opening, clock: BusClock(offset: 0), into: &turn)
    broker.load(.defaults, ReaderPace(), into: &turn)
    // An announcement of high priority waits as long as do-not-disturb lasts.
    let seat = broker.connect(uid: 1_000, role: .control)
    broker.receive(
      Array(#"{"op":"publish","event":{"type":"do-not-disturb","level":0}}"#.utf8).span,
      from: seat,
      into: &turn
    )
    keep(turn)
    while let due = broker.due {
      now = max(now, due)
      broker.begin(&turn, at: Stamp(time: now, mono: now))
      keep(turn)
    }
  }

  private mutating func keep(_ turn: borrowing Turn) {
    let text = turn.entries.bytes.string
    lines += text.split(separator: "\n").map(String.init)
  }
}
