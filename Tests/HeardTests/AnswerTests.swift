// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yRules
import A11yTestKit
import Testing

/// The answer to what the user has done comes before what apps say by themselves.
@Suite struct AnswerTests {
  /// An app that has chattered, and then answers the user's action.
  private func answer(_ fields: [String: JSON], by conn: String = "App") throws -> Heard {
    var script = Script(threeButtons)
    for number in 0..<14 {
      script.at(
        0,
        "\(number)",
        says(
          text(10),
          [
            "queue": true, "key": .string("\(number)"), "element": .string("e\(number)"),
            "cause": "auto", "window": "v",
          ]
        )
      )
    }
    script.at(1_000, "act", user("activate", ["element": "a"]))
    script.at(1_010, "answer", says("Deleted", fields), by: conn)
    return try script.run()
  }

  @Test func `an answer does not wait behind the chatter of its app`() throws {
    for cause in ["@act", "user"] as [JSON] {
      let heard = try answer(["cause": cause])
      #expect(heard.delivery("answer").mono <= 61_500_000, "\(cause) \(heard)")
    }
  }

  @Test func `chatter that the feedback has cut comes behind the answer`() throws {
    var script = Script(threeButtons)
    script.at(0, "chatter", says(text(60), ["cause": "auto"]))
    script.at(1_000, "act", user("activate", ["element": "b"]))
    script.at(1_010, "answer", says("Deleted", ["cause": "@act"]))

    let heard = try script.run()

    #expect(heard.spoken.suffix(2).first?.contains("Deleted") == true, "\(heard)")
    #expect(heard.end("chatter").hasSuffix("heard"))
  }

  @Test func `another app's announcement is no answer to it`() throws {
    var script = Script(threeButtons)
    script.at(0, shouts(text(60)))
    script.at(10, "chatter", says("Chatter"))
    script.at(1_000, "act", user("activate", ["element": "a"]))
    script.at(1_010, "other", says("Other", ["cause": "@act"]), by: "Mail")
    script.at(1_020, "answer", says("Answer", ["cause": "@act"]))

    let heard = try script.run()

    #expect(
      heard.spoken.map { $0.split(separator: " ")[1].prefix(6) }.suffix(3) == [
        "Answer", "Chatte", "Other,",
      ]
    )
  }

  @Test func `after ten seconds the user's action is over`() throws {
    func order(_ time: Double) throws -> [Substring] {
      var script = Script(threeButtons)
      script.at(0, "act", user("activate", ["element": "a"]))
      script.at(8_000, shouts(text(60)))
      script.at(8_100, "chatter", says("Chatter", ["cause": "auto"]))
      script.at(time, "answer", says("Answer", ["cause": "user"]))
      return try script.run().spoken.suffix(2).map { $0.split(separator: " ")[1].prefix(6) }
    }

    #expect(try order(10_000) == ["Answer", "Chatte"])
    #expect(try order(10_001) == ["Chatte", "Answer"])
  }

  @Test func `an answer passes do-not-disturb`() throws {
    var script = Script(threeButtons)
    script.at(0, quiet(90))
    script.at(1_000, "act", user("activate", ["element": "a"]))
    script.at(1_010, "answer", says("Deleted", ["cause": "@act"]))
    script.at(1_020, "other", says("Other", ["cause": "auto"]))

    let heard = try script.run()

    #expect(heard.times("answer") == ["1160"])
    #expect(heard.result("other") == "expired")
  }

  @Test func `an alarm that answers the user comes before one that does not`() throws {
    var script = Script(threeButtons)
    script.at(0, shouts(text(40)))
    script.at(10, "alarm", shouts("Fire"))
    script.at(100, "act", user("activate", ["element": "a"]))
    script.at(110, "answer", shouts("Failed", ["cause": "@act"]))

    #expect(try script.run().times("answer") == ["2000"])
  }
}
