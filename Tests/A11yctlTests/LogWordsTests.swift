// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire
import Testing

@testable import a11yctl

/// The words of the commands on the log.
@Suite struct LogWordsTests {
  private let file = "00000000000000000001.ndjson"

  private func run(_ from: Int64, _ to: Int64) -> ClosedRange<Seq> { Seq(from)...Seq(to) }

  @Test func `runs of entries are told with their ends`() {
    #expect(SeqWords.entries(run(7, 7)) == "entry 7")
    #expect(SeqWords.entries(run(7, 9)) == "entries 7 to 9")
    #expect(SeqWords.entries([run(7, 9), run(12, 12)]) == "entries 7 to 9 and 12")
    #expect(SeqWords.entries([run(7, 7), run(9, 9), run(12, 13)]) == "entries 7, 9 and 12 to 13")
  }

  @Test(arguments: [
    (0, "0 bytes"), (1, "1 byte"), (1_023, "1023 bytes"), (1_024, "1 KiB"), (1_536, "1.5 KiB"),
    (10_239, "9.9 KiB"), (10_300, "10 KiB"), (16_777_216, "16 MiB"), (1_610_612_736, "1.5 GiB"),
  ])
  func `amounts have no more digits than one wants to hear`(bytes: Int64, words: String) {
    #expect(ByteSize.words(bytes) == words)
  }

  @Test func `damage is told with where it is and what it costs`() {
    let finding = Finding(
      .damage,
      .spoiltBytes,
      in: file,
      bytes: 5_120..<5_400,
      entries: run(51, 53)
    )

    #expect(
      FindingWords.sentence(finding)
        == "In \(file), bytes 5120 to 5399 are damaged: entries 51 to 53 are lost and will be told"
        + " as a gap."
    )
  }

  @Test func `names that would forge a line are made visible`() {
    let finding = Finding(.note, .unknownName, in: "a\nThe log is intact.\u{1b}[2J")

    #expect(
      FindingWords.sentence(finding)
        == "a<U+000A>The log is intact.<U+001B>[2J is nothing that the log has made. It is left"
        + " alone."
    )
  }

  @Test func `the sum says in one sentence what is lost`() {
    var result = Verification.Result()
    #expect(FindingWords.sum(result) == "The log is intact: it has no entry.")

    (result.segments, result.entries) = (2, 100)
    (result.first, result.last) = (Seq(1), Seq(100))
    #expect(FindingWords.sum(result) == "The log is intact: 100 entries, 1 to 100, in 2 segments.")

    result.damages = 1
    #expect(
      FindingWords.sum(result)
        == "There is damage, but no entry is known to be lost: 100 entries are intact."
    )

    result.lost = [run(51, 53)]
    #expect(
      FindingWords.sum(result)
        == "Entries 51 to 53 are damaged and will be told as a gap; everything else is intact."
    )

    result.lost = [run(51, 51), run(60, 61)]
    #expect(
      FindingWords.sum(result)
        == "Entries 51 and 60 to 61 are damaged and will be told as gaps; everything else is"
        + " intact."
    )
  }

  @Test func `a long piece of work says how far it is, but not at every step`() {
    var now: UInt64 = 0
    var said: [String] = []
    let progress = Progress("Checked", clock: { now }, onProgress: { said.append($0) })
    progress.total = 4_194_304

    for _ in 1...4 {
      now += 2_000_000
      progress.addBytes(1_048_576)
    }

    #expect(said == ["Checked 50 percent of 4 MiB.", "Checked 100 percent of 4 MiB."])
  }

  @Test func `work of unknown length says how much is done`() {
    var now: UInt64 = 0
    var said: [String] = []
    let progress = Progress("Played", clock: { now }, onProgress: { said.append($0) })
    now = 3_000_000
    progress.addBytes(2_097_152)

    #expect(said == ["Played 2 MiB so far."])
  }

  @Test func `the log is looked for where the daemon keeps it`() {
    let home = ["HOME": "/h", "XDG_STATE_HOME": "/x", "STATE_DIRECTORY": "/s:/t"]

    #expect(LogPlace.find("here", in: { home[$0] }) == "here")
    #expect(LogPlace.find(nil, in: { home[$0] }) == "/s")
    #expect(LogPlace.find(nil, in: { $0 == "STATE_DIRECTORY" ? "s" : home[$0] }) == "/x/a11yd")
    #expect(LogPlace.find(nil, in: { $0 == "HOME" ? "/h" : nil }) == "/h/.local/state/a11yd")
    #expect(LogPlace.find(nil, in: { _ in nil }) == nil)
    #expect(LogPlace.find(nil, in: { _ in nil }, system: "/") == "/")
    #expect(LogPlace.find(nil, in: { $0 == "HOME" ? "/h" : nil }, system: "/") == "/")
  }

  @Test(arguments: [
    ("org.x.Contacts", "org.x.Contacts"), ("uid:7", "uid%3A7"), ("a b/c", "a%20b%2Fc"),
    ("ä", "%C3%A4"), ("~_-.", "~_-."),
  ])
  func `the name of an app becomes a part of a path`(app: String, part: String) {
    #expect(CloudEvents.percentEncoded(app) == part)
  }
}
