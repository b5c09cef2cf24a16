// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

@testable import A11yClient
@testable import a11yctl

/// Ages, names and states, as a person hears them.
struct EverydayWordsTests {
  private static let minute: Int64 = 60_000_000

  @Test(arguments: [
    (0, "just now"), (900_000, "just now"), (1_000_000, "1 second ago"),
    (59_000_000, "59 seconds ago"), (minute, "1 minute ago"), (90_000_000, "90 seconds ago"),
    (2 * minute, "2 minutes ago"), (60 * minute, "1 hour ago"), (119 * minute, "119 minutes ago"),
    (48 * 60 * minute, "2 days ago"), (-minute, "just now"),
  ])
  func `an age is told in the largest unit that fits`(age: Int64, words: String) {
    #expect(AgeWords.age(of: 10 * Self.minute, now: 10 * Self.minute + age) == words)
  }

  @Test(arguments: [
    (29 * minute + 1, "30 minutes"), (120 * minute - 5, "2 hours"), (90_000_000, "90 seconds"),
    (-5, "less than a second"),
  ])
  func `the time that is left is rounded up`(left: Int64, words: String) {
    #expect(AgeWords.left(until: 10 * Self.minute + left, now: 10 * Self.minute) == words)
  }

  @Test(arguments: [
    (0, "It is not quiet: all announcements are heard."),
    (50, "It is quiet until you say a11yctl quiet off: announcements of low priority wait."),
    (
      60,
      "It is quiet until you say a11yctl quiet off: announcements wait, but for urgent ones and "
        + "answers to what you do."
    ),
    (
      100,
      "It is quiet until you say a11yctl quiet off: all announcements wait, urgent ones too, but "
        + "for answers to what you do."
    ),
  ])
  func `quiet says what waits`(level: Int64, words: String) {
    #expect(QuietWords.sentence(level, until: nil, now: 0) == words)
  }

  @Test func `quiet for a while says until when`() {
    let now = RecordedEntry.began
    let end = now + 30 * Self.minute

    #expect(
      QuietWords.sentence(60, until: end, now: now).hasPrefix(
        "It is quiet \(AgeWords.until(end, now: now)), for 30 minutes more: "
      )
    )
  }

  // MARK: Readers

  private func readers(owner: JSONValue, running: Bool, _ rows: [JSONValue]) -> ConnectedReaders {
    ConnectedReaders(
      ["reader": ["running": .flag(running), "conn": owner]],
      ["subscribers": .list(rows)]
    )
  }

  private static let rows: [JSONValue] = [
    ["conn": 1, "app": "tail"], ["conn": 2, "app": "braille", "speech": 0],
    ["conn": 3, "app": "voice", "speech": 50], ["conn": 4, "app": "a11yctl", "speech": 40],
  ]

  @Test func `readers are told with the one that speaks first`() {
    #expect(
      ReaderWords.sentences(readers(owner: 3, running: true, Self.rows)) == [
        "The screen reader is on.", "voice is the one that speaks.",
        "braille is there, too, to show what is said, and never speaks.",
        "a11yctl is there, too, and would speak if the other left.",
      ]
    )
  }

  @Test func `a reader that is off, and none at all, are told as such`() {
    let off = ReaderWords.sentences(readers(owner: 3, running: false, [Self.rows[2]]))
    let none = ReaderWords.sentences(readers(owner: .null, running: false, []))
    let claimed = ReaderWords.sentences(readers(owner: .null, running: true, []))

    #expect(off.first == "The screen reader counts as off: only urgent announcements are kept.")
    #expect(none == ["No screen reader that speaks is connected."])
    #expect(claimed == ["The screen reader counts as on, but none that speaks is connected."])
  }

  // MARK: Names

  private static let apps = ["org.example.Chat", "org.example.Mail", "com.other.Chatter"]

  @Test(arguments: [
    ("chat", ["com.other.Chatter", "org.example.Chat"]), ("Caht", ["org.example.Chat"]),
    ("org.exmaple.Mail", ["org.example.Mail", "org.example.Chat"]), ("weather", []),
  ])
  func `near names hold the typed one, or differ in few letters`(typed: String, near: [String]) {
    #expect(NearbyNames.to(typed, among: Self.apps) == near)
  }

  @Test func `names that begin with the typed one come first`() {
    let names = ["history", "listen", "stats", "stop"]

    #expect(NearbyNames.to("st", among: names) == ["stats", "stop", "history", "listen"])
  }

  @Test func `at most four names are offered`() {
    let many = (1...9).map { "chat\($0)" }

    #expect(NearbyNames.to("chat", among: many).count == 4)
    #expect(NearbyNames.question(["a"]) == "; did you mean a?")
    #expect(NearbyNames.question(["a", "b", "c"]) == "; did you mean a, b or c?")
    #expect(NearbyNames.question([]) == ".")
  }

  // MARK: Lengths of time

  @Test(arguments: [
    ("30 min", 1_800), ("1 hour", 3_600), ("1.5 h", 5_400), ("2 Days", 172_800), ("90s", 90),
  ])
  func `a length of time is typed as people say it`(words: String, seconds: Int64) {
    #expect(Moment.length(words) == .seconds(seconds))
  }

  @Test(arguments: ["", "soon", "1", "-5 min", "1 hour ago", "hour"])
  func `other words are no length of time`(words: String) {
    #expect(Moment.length(words) == nil)
  }
}
