// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import A11yWire
import Testing

@testable import A11yClient
@testable import a11yctl

// One suite with the other commands, for it is serialised.
extension CommandTests {
  @Test func `tail follows across a restart and says so once`() throws {
    let bus = try FakeBus(
      .init(
        .hear([#"{"id":-1,"op":"subscribe","from":"start"}"#]),
        .say([Says.subscribed(after: 0), Says.entry(1, "One"), Says.entry(2, "Two")])
      ),
      .init(),
      .init(.say([#"{"bye":{"code":"quota.exceeded","msg":"later"}}"#])),
      .init(
        .hear([#""from":"\#(Says.epoch):2""#]),
        .say([Says.subscribed(after: 2), Says.entry(3, "Three"), Says.mark("caught-up", 3)]),
        .wait
      )
    )
    let tail = try tail("--from", "start", "--socket", bus.path, "--until-caught-up")

    try tail.follow(atOnce, interrupt: nil, said.output)

    let texts = said.lines.split(separator: "\n").map { $0.split(separator: ": ").last }
    #expect(texts == ["One", "Two", "Three", "Caught up at entry 3."])
    #expect(said.complaints == "The bus went away; waiting for it.\nThe bus is back.\n")
    #expect(bus.complaint == nil)
  }

  @Test func `with --json lines come as they are`() throws {
    let lines = [
      Says.entry(1, "\u{202E}"), #"{"mark":"gap","from":2,"to":3,"reason":"retention"}"#,
      Says.mark("caught-up", 3),
    ]
    let bus = try FakeBus(
      .init(
        .hear(["subscribe"]),
        .say([Says.subscribed(after: 0)] + lines + [Says.entry(4)]),
        .wait
      )
    )
    let tail = try tail("--json", "--from", "start", "--socket", bus.path, "--until-caught-up")

    try tail.follow(atOnce, interrupt: nil, said.output)

    #expect(said.lines == lines.map { $0 + "\n" }.joined())
  }

  @Test func `what came together is written together`() throws {
    let lines = (1...500).map { Says.entry($0) } + [Says.mark("caught-up", 500)]
    let bus = try FakeBus(
      .init(.hear(["subscribe"]), .say([Says.subscribed(after: 0)] + lines), .wait)
    )
    var writes = 0
    let output = Output(
      to: { _ in
        writes += 1
        return .written
      },
      complaining: { _ in }
    )

    try tail("--json", "--socket", bus.path, "--until-caught-up")
      .follow(atOnce, interrupt: nil, output)

    #expect(writes < 50)
  }

  @Test func `a reader that has enough is no failure`() throws {
    let bus = try FakeBus(
      .init(.hear(["subscribe"]), .say([Says.subscribed(after: 0), Says.entry(1)]), .wait)
    )
    said.outcome = .closed

    #expect(throws: Failure.readerHasEnough) {
      try tail("--socket", bus.path).follow(atOnce, interrupt: nil, said.output)
    }
  }

  @Test func `a reader that goes while nothing happens ends the watch`() throws {
    let bus = try FakeBus(.init(.hear(["subscribe"]), .say([Says.subscribed(after: 0)]), .wait))
    #expect(throws: Failure.readerHasEnough) {
      // The near end goes at once, and the far one is left alone.
      try tail("--socket", bus.path)
        .follow(atOnce, interrupt: Ends(UnixStream.pair()).far(), said.output)
    }
  }

  @Test func `a field that the bus does not know is told`() throws {
    let bus = try FakeBus(
      .init(
        .hear([#""state":true"#]),
        .say([
          #"{"warn":{"fields":["state"]},"id":1}"#, Says.subscribed(after: 0),
          Says.mark("caught-up", 0),
        ]),
        .wait
      )
    )

    try tail("--state", "--socket", bus.path, "--until-caught-up")
      .follow(atOnce, interrupt: nil, said.output)

    #expect(said.complaints == "The bus does not know, and has ignored: state.\n")
  }

  @Test func `a subscription that is refused ends with 65`() throws {
    let error = #"{"code":"field.invalid","field":"state","msg":"not yet"}"#
    let bus = try FakeBus(.init(.hear(["subscribe"]), .say([Says.refused(-1, error)]), .wait))

    #expect(throws: Failure(.refused, "The bus refused it (field.invalid, state): not yet.")) {
      try tail("--state", "--socket", bus.path).follow(atOnce, interrupt: nil, said.output)
    }
  }
}
