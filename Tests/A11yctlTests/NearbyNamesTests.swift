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
  @Test(arguments: [
    (["tail", "--widnow", "w"], "--widnow is no option of this command; did you mean --window?"),
    (
      ["log", "cat", "--sicne=today"],
      "--sicne=today is no option of this command; did you mean --since?"
    ),
    (["tail", "--s", "w"], "--s is no option of this command; did you mean "),
    (["tail", "--nonsense"], "--nonsense is no option of this command. Try: a11yctl tail --help"),
    (["tail", "-x"], "-x is no option of this command. Try: "),
    (
      ["tail", "--type", "anouncement"],
      "There is no event type anouncement; did you mean announcement?"
    ),
    (
      ["announce", "Hi", "--class", "progess"], "There is no class progess; did you mean progress?"
    ),
    (["rules", "show", "--class", "staus"], "There is no class staus; did you mean status?"),
    (["tail", "--from", "9 ages"], "--from expects a seq, a cursor epoch:seq, start, now, or a "),
    (["tail", "--since", "soon"], "--since expects a time, as \"10 min\", "),
    (["log", "cat", "--to", "soon"], "--to expects a seq, a cursor epoch:seq, start, now, or a "),
    (["tree", "--at", "soon"], "--at expects a seq, a cursor epoch:seq, start, now, or a "),
  ])
  func `a wrong word is answered with the one that was meant`(words: [String], beginning: String) {
    let failure = #expect(throws: Failure.self) { try Main.run(words, said.output) }

    #expect(failure?.code == .usage)
    #expect(failure?.words?.hasPrefix(beginning) == true, "\(failure?.words ?? "")")
  }

  @Test func `an app that is nowhere is told with those that are meant`() {
    let known = ["org.example.Mail", "org.example.Files"]

    #expect(AppNames.strangers(["org.example.Mail", "*.Files"], among: known, "here") == [])
    #expect(
      AppNames.strangers(["Mial", "org.zzz"], among: known, "here") == [
        "No app of the name Mial has been here; did you mean org.example.Mail?",
        "No app of the name org.zzz has been here.",
      ]
    )
  }

  // MARK: Times

  private func selected(_ words: String...) throws -> [Int64] {
    let hour: Int64 = 3_600_000_000
    let selection = try LogSelection(LogCatCommand(words, now: 100 * hour).chosen)
    let reader = JSONReader(limit: A11yWire.Limits.lineBytes)
    return try (90...100).filter { number in
      let entry = #"{"seq":\#(number),"time":\#(number * hour),"event":{"type":"paused"}}"#
      try reader.read(entry.utf8Span.span)
      let isInRange =
        selection.range.from?.number ?? 0 <= number
        && number <= selection.range.to?.number ?? .max
      return isInRange && selection.admits(reader.document)
    }
  }

  @Test func `from and to are a seq or a time, in the words of every time`() throws {
    #expect(try selected("--from", "98") == [98, 99, 100])
    #expect(try selected("--from", "2 hours ago") == [98, 99, 100])
    #expect(try selected("--from", "5 hours ago", "--to", "3 hours ago") == [95, 96])
    #expect(try selected("--from", "5 hours ago", "--to", "96") == [95, 96])
    #expect(try selected("--since", "1 hour ago", "--from", "4 hours ago") == [99, 100])
    #expect(try selected("--to", "1970-01-04T19:30:00Z") == [90, 91])
  }
}
