// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yTestKit
import Foundation
import Testing

/// An upgrade and the way back, while an app announces and the voice is in the middle of a text.
///
/// `make test-deb` builds the packages. `A11Y_UPGRADE_ENTRIES` tells how long the log is before.
@Suite(
  .timeLimit(.minutes(hangs)),
  .enabled(
    if: ProcessInfo.processInfo.environment["A11Y_DEB"] != nil,
    "make test-deb runs the tests with packages"
  ),
  .enabled(if: BootedMachine.obstacle == nil, Comment(rawValue: BootedMachine.obstacle ?? "")),
  .enabled(if: SpeechTools.obstacle == nil, Comment(rawValue: SpeechTools.obstacle ?? ""))
)
struct UpgradeTests {
  private let session: SpeakingSession
  private static let longestSilence = 2.0
  /// More than are spoken in the time of an upgrade and the way back.
  private static let textCount = 40

  init() throws {
    let asked = ProcessInfo.processInfo.environment["A11Y_UPGRADE_ENTRIES"]
    session = try SpeakingSession()
    try SpokenNotes.arrange(on: session.machine)
    let settings = "printf '[log]\\nretain_bytes = 0\\n'"
    let keepAll = "cd; mkdir -p .config/a11yd && \(settings) >.config/a11yd/a11yd.toml"
    try session.machine.asTester("sh", "-c", keepAll)
    try session.fillLog(with: asked.flatMap { Int($0) } ?? 100_000)
    try session.start()
  }

  @Test func `an upgrade and the way back lose nothing, and say nothing twice`() async throws {
    let observer = try session.observe()
    let texts = try (1...Self.textCount).map { number in
      try session.say("Message \(number) is \(String(repeating: "quite ", count: number % 9))long")
    }
    let app = Announcer(session.socket)
    for (folder, version) in [("deb-next", "+1~"), ("deb", "")] {
      _ = try await app.announce { session.notes.middle }
      let before = try session.processes()
      let change = try session.machine.begin(
        "sh",
        "-c",
        DebianPackages.installation(of: folder)
      )
      _ = try await app.announce { change.isRunning ? nil : true }
      #expect(change.terminationStatus == 0)
      #expect(try session.version().contains("+1~") == (version == "+1~"))
      #expect(Set(try session.processes()).isDisjoint(with: before))
    }
    _ = try await app.announce { session.notes.utterances.last { $0.isWhole }.map { $0.text } }
    let log = try observer()
    for seq in texts.map(\.seq) + app.acknowledged {
      _ = try log.outcome(of: seq, within: .seconds(180))
    }

    judge(app, on: log)
    judge(texts, on: log)
    // The voice was restarted in the middle of some text, which `judge` has found whole since.
    #expect(session.notes.utterances.contains { !$0.isWhole })
    let silence = session.notes.longestSilence
    print("behind entry \(texts[0].seq) the longest silence was \(silence) s")
    print("the longest wait for an acknowledgement was \(app.longestWait)")
    #expect(silence < Self.longestSilence)
    #expect(app.longestWait < .seconds(Self.longestSilence))
  }

  /// What was acknowledged is on the log once, and has one outcome.
  private func judge(_ app: Announcer, on log: SpeechLog) {
    let own = log.lines.filter { $0.event["text"].string?.hasPrefix(Announcer.words) == true }
    let written = own.filter { $0.type == "announcement" }
    #expect(written.map(\.seq) == app.acknowledged)
    #expect(Set(written.compactMap { $0.event["text"].string }).count == app.acknowledged.count)
    let ended = log.lines.filter { $0.type == "outcome" }.compactMap { $0.event["of"].integer }
    #expect(Set(ended).count == ended.count, "an event has two outcomes")
    #expect(Set(app.acknowledged).subtracting(ended) == [])
  }

  /// Each text was heard, and its synthesizer spoke it to the end once.
  private func judge(_ texts: [(seq: Int64, text: String)], on log: SpeechLog) {
    let notes = session.notes
    for (seq, text) in texts {
      let outcome = log.lines.first { $0.type == "outcome" && $0.event["of"] == .integer(seq) }
      #expect(outcome?.event["result"] == "heard", "\(text): \(outcome?.text ?? "no outcome")")
      let spoken = notes.utterances.filter { $0.text == text }
      #expect(spoken.count { $0.isWhole } == 1, "\(text) \(spoken)")
      // It is spoken again where it was cut, and only there.
      #expect(spoken.count <= 1 || spoken.dropLast().allSatisfy { !$0.isWhole }, "\(spoken)")
      #expect(spoken.count <= 3)
    }
  }
}

/// An app that announces numbered texts and waits for each acknowledgement.
private final class Announcer {
  static let words = "Step "
  private let client: Client
  private(set) var acknowledged: [Int64] = []
  private(set) var longestWait = Duration.zero

  init(_ socket: String) { client = Client(app: "org.example.Steps", path: socket) }

  /// Announces, a hundred times a second at most, until something is there.
  func announce<Value>(until found: () throws -> Value?) async throws -> Value {
    let deadline = Deadline(after: .seconds(300))
    while !deadline.isOver {
      if let value = try found() { return value }
      let number = acknowledged.count + 1
      let start = ContinuousClock.now
      let event = Event.announcement("\(Self.words)\(number)", priority: .low)
      acknowledged.append(try await client.publish(event, dedupe: "\(number)").seq)
      longestWait = max(longestWait, .now - start)
      poll(nil, 0, 10)
    }
    throw Missing("what was announced for")
  }
}
