// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import Testing

@testable import A11ySpeech

/// Long waits, with and without signs of life: who works is waited for, and never ended.
@Suite struct VoiceWatchTests {
  /// A voice that sees the processes behind speech-dispatcher, which work or do nothing.
  private func watching(works: Bool) -> Rehearsal {
    var rehearsal = Rehearsal.ready()
    rehearsal.work = works ? 50_000 : 200
    return rehearsal
  }

  /// The moments at which progress was told, between which no more than five seconds may lie.
  private func tellings(_ rehearsal: inout Rehearsal, over seconds: Int) -> [Int64] {
    var moments: [Int64] = []
    for _ in 0..<seconds * 10 {
      let count = rehearsal.reports.count
      rehearsal.pass(100)
      moments += rehearsal.reports[count...].filter { $0.state == .progress }
        .map { _ in rehearsal.now }
    }
    return moments
  }

  @Test func `progress is told at least every five seconds, with the time that was heard`() throws {
    var rehearsal = watching(works: true)
    let seq = try rehearsal.deliver("One two three")
    rehearsal.begin(1)
    for mark in 0..<3 {
      rehearsal.mark(1, mark)
      let moments = tellings(&rehearsal, over: 8)
      #expect(moments.count == 2)
    }
    rehearsal.end(1)

    let told = rehearsal.reports.filter { $0.state == .progress }
    #expect(told.allSatisfy { $0.of == seq })
    // The last sign of life is up to a second ago.
    #expect(told.map(\.heardMilliseconds) == [3_000, 7_000, 11_000, 15_000, 19_000, 23_000])
    #expect(rehearsal.reports.last == SpeechReport(of: seq, .finished, heard: 24_000))
    #expect(rehearsal.acts == [])
  }

  @Test(arguments: [String(repeating: "漢", count: 48), String(repeating: "7", count: 60)])
  func `one word may last as long as somebody works`(text: String) throws {
    var rehearsal = watching(works: true)
    try rehearsal.deliver(text)
    rehearsal.begin(1)
    rehearsal.mark(1, 0)
    let moments = tellings(&rehearsal, over: 100)
    rehearsal.end(1)

    #expect(moments.count >= 20)
    #expect(rehearsal.reports.last?.state == .finished)
    #expect(rehearsal.acts == [])
  }

  @Test func `a text of minutes is spoken once, by its marks alone`() throws {
    var rehearsal = Rehearsal.ready()
    let words = (0..<60).map { "\(12_345 + $0)" }.joined(separator: " ")
    try rehearsal.deliver(words)
    rehearsal.begin(1)
    for mark in 0..<60 {
      rehearsal.mark(1, mark)
      rehearsal.pass(3_000)
    }
    rehearsal.end(1)

    #expect(rehearsal.reports.count { $0.state == .progress } >= 36)
    #expect(rehearsal.reports.last == .init(of: 1, .finished, heard: 180_000))
    #expect(rehearsal.texts.count == 1)
  }

  @Test func `who does nothing in the middle has hung, however long the word`() throws {
    var rehearsal = watching(works: false)
    let seq = try rehearsal.deliver(String(repeating: "漢", count: 48))
    rehearsal.begin(1)
    rehearsal.mark(1, 0)
    rehearsal.pass(6_000)

    #expect(rehearsal.reports.last == .init(of: seq, .lost, reason: "espeak-ng fell silent"))
    #expect(rehearsal.sent.last == "CANCEL SELF")
    #expect(rehearsal.acts == [.restart])
    #expect(rehearsal.reports.allSatisfy { $0.state != .progress })
  }

  @Test func `who works without an end is not waited for without an end`() throws {
    var rehearsal = watching(works: true)
    try rehearsal.deliver("One")
    rehearsal.begin(1)
    rehearsal.mark(1, 0)
    rehearsal.pass(15_000)

    #expect(rehearsal.reports.last?.state == .lost)
    #expect(rehearsal.sent.last == "CANCEL SELF")
    // It may be speaking for somebody else by now.
    #expect(rehearsal.acts == [])
    rehearsal.work = 0
    rehearsal.pass(2_000)
    #expect(rehearsal.acts == [.restart])
  }

  @Test func `another program that speaks for four minutes is waited for`() throws {
    var rehearsal = watching(works: true)
    let seq = try rehearsal.deliver("Ours")
    let moments = tellings(&rehearsal, over: 240)

    #expect(zip([0] + moments, moments).allSatisfy { $1 - $0 <= 5_000 })
    #expect(moments.count >= 48)
    #expect(rehearsal.reports.allSatisfy { $0 == SpeechReport(of: seq, .progress, heard: 0) })
    rehearsal.speak(1)
    #expect(rehearsal.reports.suffix(2).map(\.state) == [.started, .finished])
    #expect(rehearsal.acts == [] && rehearsal.texts.count == 1)
    #expect(!rehearsal.sent.contains { $0.hasPrefix("CANCEL") })
  }

  @Test func `after five minutes ours is given back, and nobody is ended`() throws {
    var rehearsal = watching(works: true)
    let seq = try rehearsal.deliver("Ours")
    rehearsal.pass(300_000)

    let reason = "another program spoke for 5 minutes"
    #expect(rehearsal.reports.last == SpeechReport(of: seq, .lost, reason: reason))
    #expect(rehearsal.sent.last == "CANCEL SELF")
    #expect(rehearsal.acts == [])
    rehearsal.cancel(1)
    #expect(rehearsal.reports.last?.state == .lost)
    try rehearsal.deliver("Ours", #","again":true"#)
    rehearsal.speak(2)
    #expect(rehearsal.reports.last?.state == .finished)
  }

  @Test func `another program's speech ends, and ours that never begins is lost soon`() throws {
    var rehearsal = watching(works: true)
    try rehearsal.deliver("Ours")
    rehearsal.pass(30_000)
    rehearsal.work = 0
    rehearsal.pass(4_000)

    #expect(rehearsal.reports.last?.reason == "espeak-ng did not begin")
    #expect(rehearsal.acts == [.revive])
  }

  @Test func `a proof waits for others, and the bus is told`() throws {
    var rehearsal = watching(works: false)
    try rehearsal.deliver("One")
    rehearsal.begin(1)
    rehearsal.mark(1, 0)
    rehearsal.pass(6_000)
    try #require(rehearsal.acts == [.restart])
    rehearsal.forget()
    rehearsal.open()
    rehearsal.work = 50_000
    let seq = try rehearsal.deliver("One", #","again":true"#)
    rehearsal.pass(60_000)

    #expect(rehearsal.acts == [])
    #expect(rehearsal.reports.count >= 12)
    #expect(rehearsal.reports.allSatisfy { $0 == SpeechReport(of: seq, .progress, heard: 0) })
    rehearsal.begin(2)
    rehearsal.end(2)
    rehearsal.speak(3)
    #expect(rehearsal.reports.last?.state == .finished)
  }

  @Test func `a late answer of who works is waited for`() throws {
    var rehearsal = watching(works: true)
    try rehearsal.deliver("One two")
    rehearsal.begin(1)
    rehearsal.pass(3_000)
    rehearsal.answers = false
    rehearsal.silence(1)
    rehearsal.pass(10_000)
    #expect(rehearsal.acts == [])
    rehearsal.work = 0
    rehearsal.pass(5_000)
    #expect(rehearsal.acts == [.restart])
  }

  @Test func `what was lost is cancelled at once, and its late end counts`() throws {
    var rehearsal = watching(works: false)
    let seq = try rehearsal.deliver("One")
    rehearsal.pass(3_000)
    #expect(rehearsal.reports.last?.state == .lost)
    #expect(rehearsal.sent.last == "CANCEL SELF")
    rehearsal.begin(1)
    rehearsal.mark(1, 0)
    rehearsal.end(1)

    #expect(rehearsal.reports.last?.of == seq && rehearsal.reports.last?.state == .finished)
  }

  @Test func `what an earlier life has left is silenced, and nobody else`() throws {
    var rehearsal = Rehearsal()
    rehearsal.earlier = [3, 9]
    rehearsal.open()

    // Our number is 7, so 9 belongs to another speech-dispatcher.
    #expect(rehearsal.sent.filter { $0.hasPrefix("CANCEL") } == ["CANCEL 3"])
    try rehearsal.deliver("One")
    let cancel = try #require(rehearsal.sent.firstIndex(of: "CANCEL 3"))
    #expect(cancel < (try #require(rehearsal.sent.firstIndex(of: "SPEAK"))))
  }

  @Test func `a silent voice looks at nothing`() throws {
    var rehearsal = watching(works: true)
    try rehearsal.deliver("One")
    rehearsal.speak(1)

    #expect(rehearsal.voice.due == nil)
  }
}
