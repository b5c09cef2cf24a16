// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// The program that counts, in each language: the same words, whatever becomes of the bus.
@Suite(.timeLimit(.minutes(hangs)))
struct CounterTests {
  /// A language, with the command line of its program.
  struct Language: Sendable, CustomTestStringConvertible {
    let name: String
    let program: String
    let arguments: [String]

    init(_ name: String, _ program: String, _ arguments: String...) {
      self.name = name
      self.program = program
      self.arguments = arguments
    }

    var testDescription: String { name }

    static var all: [Language] {
      [
        Language("C", CClients.built("counter")),
        Language("Swift", DaemonProcess.built("a11y-counter")),
        Language("shell", CClients.source("clients/shell/counter")),
        Language(
          "Python",
          "/usr/bin/python3",
          CClients.source("clients/python/examples/counter.py")
        ),
      ]
    }
  }

  private static let app = "org.example.Counter"

  @Test(arguments: Language.all)
  func `the program counts, also over a killed bus`(language: Language) throws {
    try CClients.build()
    try count(language)
  }

  /// Has a program count on a daemon of its own, which is killed in between.
  func count(_ language: Language) throws {
    let daemon = try RunningDaemon()
    let reader = try ListeningReader(daemon)
    let program = try DaemonProcess(
      language.arguments,
      of: language.program,
      environment: [
        "A11YD_SOCKET": daemon.socket, "PYTHONPATH": CClients.source("clients/python/src"),
      ]
    )

    try reader.hear("Counter is ready")
    let announced = try program.line(beginning: "Announcement ")
    try actAndExpect("activate", "handled", daemon)
    try reader.hear("1")
    try actAndExpect("increment", "unhandled", daemon)

    daemon.kill()
    _ = try program.line(beginning: "The bus is gone.")
    try daemon.start()
    _ = try program.line(beginning: "The bus is back.")
    let successor = try ListeningReader(daemon)
    try expectShown(daemon)
    try actAndExpect("activate", "handled", daemon)
    try successor.hear("2")

    program.send(SIGTERM)
    #expect(try program.end() == .exited(0))
    let lines = program.said.split(separator: "\n").map(String.init)
    #expect(announced.wholeMatch(of: /Announcement [0-9]+: heard\./) != nil)
    #expect(lines.contains("Focus: count."))
    #expect(
      lines.filter { !$0.hasPrefix("Focus: ") } == [
        announced, "Gesture: activate on count.", "Gesture: increment on count.",
        "The bus is gone.", "The bus is back.", "Gesture: activate on count.", "Goodbye.",
      ]
    )
    try expectCauses(daemon)
  }

  /// Acts as the user, and waits for the end of the action and for the app's answer.
  private func actAndExpect(_ action: String, _ result: String, _ daemon: RunningDaemon) throws {
    let watcher = try daemon.connect()
    try watcher.subscribe(#","filter":{"types":["gesture","handled","outcome"]}"#)
    let target = #""app":"\#(Self.app)","window":"main","element":"count""#
    let seq = try daemon.connect().publishAccepted(
      #"{"type":"action","action":"\#(action)",\#(target)}"#
    )
    var gesture: Int64?
    var (isEnded, isAnswered) = (false, false)
    while !isEnded || !isAnswered {
      let entry = try watcher.entry()
      let event = try entry.event()
      if event["type"] == "gesture", event["action"].integer == seq { gesture = entry.seq }
      if event["type"] == "handled", event["of"].integer == gesture { isAnswered = true }
      if event["type"] == "outcome", event["of"].integer == seq {
        #expect(event["result"].string == result, "\(action)")
        isEnded = true
      }
    }
    // A line may come before the answer to the app that has sent it; a later request does not.
    _ = try daemon.connect().ask(#"{"id":1,"op":"ping"}"#)
  }

  /// Waits until the app has shown its window to the bus of now.
  ///
  /// A bus that was killed remembers the window, so that the app's own greeting is awaited first.
  private func expectShown(_ daemon: RunningDaemon) throws {
    let looker = try daemon.connect()
    try looker.subscribe(#","from":"start","filter":{"types":["client"],"apps":["\#(Self.app)"]}"#)
    while try looker.entry().seq <= daemon.ready.last {}
    let state = try daemon.connect().ask(#"{"id":1,"op":"state"}"#)["ok"]
    #expect(state["windows"].list?.map { $0["title"] } == ["Counter"])
    #expect(state["focus"]["element"] == "count")
  }

  /// Each number names the action that it answers, and the element has it as its value.
  private func expectCauses(_ daemon: RunningDaemon) throws {
    let entries = try daemon.entries().map { try ($0.seq, $0.event()) }
    let gestures = entries.filter { $0.1["type"] == "gesture" && $0.1["name"] == "activate" }
    try #require(gestures.count == 2)
    for (index, gesture) in gestures.enumerated() {
      let number = JSON.string("\(index + 1)")
      let cause = gesture.1["action"]
      #expect(
        entries.contains {
          $0.1["type"] == "announcement" && $0.1["text"] == number && $0.1["cause"] == cause
        }
      )
      #expect(
        entries.contains {
          let elements = $0.1["upsert"].list ?? $0.1["replace"].list
          return elements?.first?["value"] == number
        }
      )
      #expect(
        entries.contains {
          $0.1["type"] == "handled" && $0.1["of"].integer == gesture.0
            && $0.1["handled"] == true
        }
      )
    }
  }
}

/// A reader that speaks in no time.
private final class ListeningReader {
  private let connection: RawClient

  init(_ daemon: RunningDaemon) throws {
    connection = try daemon.connect()
    try connection.hello("voice", role: "reader")
    try connection.subscribe(#","filter":{"types":["deliver"]}"#)
  }

  /// Speaks until these words were among the spoken ones.
  func hear(_ words: String) throws {
    while true {
      let entry = try connection.entry().json()
      guard let seq = entry["seq"].integer else { continue }
      try connection.send(
        #"{"op":"publish","event":{"type":"speech","of":\#(seq),"state":"finished"}}"#
      )
      let runs = entry["event"]["speak"].list ?? []
      if runs.contains(where: { $0["text"].string == words }) { return }
    }
  }
}
