// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

@testable import A11ySsip

/// Where there is no bus, speech-dispatcher speaks itself.
@Suite struct DirectTests {
  /// Answers what a line has been sent, until it asks for nothing more; all that it was sent.
  private func converse(_ trial: inout DoorTrial, on line: Int, number: Int = 40) -> [String] {
    var sent: [String] = []
    var hasText = false
    while true {
      let lines = trial.written(on: line)
      if lines.isEmpty { return sent }
      sent += lines
      for words in lines {
        if words == "SPEAK" {
          hasText = true
          trial.answer("230 OK RECEIVING DATA", on: line)
        } else if hasText {
          guard words == "." else { continue }
          hasText = false
          trial.answer("225-\(number)", "225 OK MESSAGE QUEUED", on: line)
        } else {
          trial.answer("200 OK", on: line)
        }
      }
    }
  }

  @Test func `a message goes there with its settings, and its events come back as ours`() {
    var trial = DoorTrial(hasBus: false)
    let id = trial.visit("tea", "PRIORITY message", "RATE 30", "LANGUAGE de")
    _ = trial.heard(by: id)
    trial.say("SPEAK", "Tea", "..is ready", ".", from: id)
    #expect(trial.heard(by: id).suffix(2) == ["225-1", "225 OK MESSAGE QUEUED"])
    trial.openLine(id)
    #expect(
      converse(&trial, on: id) == [
        "SET SELF CLIENT_NAME root:tea:main", "SET SELF NOTIFICATION ALL ON",
        "SET SELF PRIORITY message", "SET SELF LANGUAGE de", "SET SELF RATE 30", "SPEAK", "Tea",
        "..is ready", ".",
      ]
    )
    trial.answer("701-40", "701-3", "701 BEGIN", on: id)
    trial.answer("700-40", "700-3", "700-a", "700 INDEX MARK", "702-40", "702-3", "702 END", on: id)
    #expect(
      trial.heard(by: id) == [
        "701-1", "701-\(id)", "701 BEGIN", "700-1", "700-\(id)", "700-a", "700 INDEX MARK", "702-1",
        "702-\(id)", "702 END",
      ]
    )
  }

  @Test func `an event before its number is told behind it`() {
    var trial = DoorTrial(hasBus: false)
    let id = trial.visit("tea")
    _ = trial.heard(by: id)
    trial.say("CHAR a", from: id)
    trial.openLine(id)
    for _ in 1...3 { trial.answer("200 OK", on: id) }
    #expect(trial.written(on: id).last == "CHAR a")
    trial.answer("701-40", "701-3", "701 BEGIN", "225-40", "225 OK MESSAGE QUEUED", on: id)
    #expect(
      trial.heard(by: id) == [
        "225-1", "225 OK MESSAGE QUEUED", "701-1", "701-\(id)", "701 BEGIN",
      ]
    )
  }

  @Test func `when the bus falls, what has begun is cancelled, and what waits is spoken`() throws {
    var trial = DoorTrial()
    let id = trial.visit("tea", "PRIORITY message")
    trial.say("CHAR a", "CHAR b", from: id)
    let events = trial.published()
    let first = trial.record(events.first?.ticket, of: id)
    let second = trial.record(events.last?.ticket, of: id)
    try trial.report(#""state":"started""#, of: try trial.deliver(first))
    _ = trial.heard(by: id)

    trial.door.busLeft(at: trial.now)
    #expect(trial.heard(by: id) == ["703-1", "703-\(id)", "703 CANCELED"])
    trial.openLine(id)
    #expect(converse(&trial, on: id).last == "CHAR b")

    // What was told to have ended, or is spoken, is taken back.
    trial.door.busCame(epoch: "e", at: trial.now)
    #expect(Set(trial.published().compactMap { $0.event["of"].integer }) == [first, second])
    trial.say("CHAR c", from: id)
    #expect(trial.published().count == 1)
  }

  @Test func `a bus that does not answer is none`() {
    var trial = DoorTrial()
    let id = trial.visit("tea")
    trial.say("CHAR a", from: id)
    _ = trial.published()
    trial.now += Door.patience
    trial.door.elapse(to: trial.now)
    trial.collect()
    #expect(trial.acts.contains(.call(id)) && trial.acts.contains(.renew))
  }

  @Test func `a client that loses its connection to the bus finds another`() throws {
    var trial = DoorTrial()
    let id = trial.visit("tea", "PRIORITY message")
    trial.say("CHAR a", "CHAR b", from: id)
    let events = trial.published()
    let seq = trial.record(events.first?.ticket, of: id)
    trial.door.linkLost(id, at: trial.now)
    trial.openLine(id)
    #expect(converse(&trial, on: id).last == "CHAR b")
    _ = trial.heard(by: id)
    try trial.conclude(seq, "heard")
    #expect(trial.heard(by: id).last == "702 END")
    trial.say("CHAR c", from: id)
    #expect(trial.published().count == 1)
  }

  @Test func `what the bus refuses or nobody there speaks is spoken all the same`() throws {
    var trial = DoorTrial()
    let id = trial.visit("tea", "PRIORITY message")
    trial.say("CHAR a", "CHAR b", from: id)
    let events = trial.published()
    trial.door.refused(events.first?.ticket ?? 0, of: id, at: trial.now)
    let seq = trial.record(events.last?.ticket, of: id)
    try trial.conclude(seq, "undeliverable")
    trial.openLine(id)
    #expect(converse(&trial, on: id).filter { $0.hasPrefix("CHAR") } == ["CHAR a", "CHAR b"])
  }

  @Test func `a line that breaks ends each of its messages once`() {
    var trial = DoorTrial(hasBus: false)
    let id = trial.visit("tea")
    trial.say("CHAR a", "CHAR b", from: id)
    _ = trial.heard(by: id)
    trial.door.lineClosed(id, at: trial.now)
    #expect(trial.heard(by: id).filter { $0.contains(" ") } == ["703 CANCELED", "703 CANCELED"])
  }

  @Test func `messages wait for the bus's first answer, and not for long`() {
    var trial = DoorTrial(hasBus: false)
    trial.door = Door(DoorSettings(), at: trial.now)
    let id = trial.visit("tea")
    _ = trial.heard(by: id)
    trial.say("CHAR a", "GET RATE", from: id)
    #expect(trial.heard(by: id) == [])
    #expect(trial.door.due == trial.now + Door.patience)
    trial.now += Door.patience
    trial.door.elapse(to: trial.now)
    #expect(trial.heard(by: id) == ["225-1", "225 OK MESSAGE QUEUED"])
  }

  // MARK: Questions

  @Test func `speech-dispatcher is asked once, and again by nobody`() {
    var trial = DoorTrial()
    let id = trial.visit("tea")
    #expect(trial.answers(to: "GET LANGUAGE", from: id) == [])
    #expect(trial.acts.contains(.call(0)))
    trial.openLine(0)
    #expect(trial.written(on: 0) == ["GET LANGUAGE"])
    trial.answer("251-de", "251 OK GET RETURNED", on: 0)
    #expect(trial.heard(by: id) == ["251-de", "251 OK GET RETURNED"])
    let other = trial.visit("cake")
    #expect(trial.answers(to: "GET LANGUAGE", from: other) == ["251-de", "251 OK GET RETURNED"])
    #expect(
      trial.answers(to: "SET SELF LANGUAGE en-US", from: id) == ["201 OK LANGUAGE SET"]
    )
    #expect(trial.answers(to: "GET LANGUAGE", from: id) == ["251-en-us", "251 OK GET RETURNED"])
  }

  @Test func `a speech-dispatcher that does not answer makes nobody wait`() {
    var trial = DoorTrial()
    let id = trial.visit("tea")
    #expect(trial.answers(to: "GET VOLUME", from: id) == [])
    trial.openLine(0)
    trial.now += 2_000_000
    trial.door.elapse(to: trial.now)
    #expect(trial.heard(by: id) == ["251-100", "251 OK GET RETURNED"])
  }
}
