// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

/// A locked session: whoever stands before it hears the time and alarms, and no chat.
@Suite struct LockTests {
  private func locked() -> Script {
    var script = Script()
    script.at(0, window("chat", "opened"), by: "Chat")
    script.joins(0, "Lock")
    script.joins(0, "Other", uid: 2_000)
    script.startOver(at: 10_000)
    script.at(0, window("lock", "opened", ["lock": true]), by: "Lock")
    return script
  }

  @Test func `what cannot wait, and the lock screen itself, are heard; a chat is not`() throws {
    var script = locked()
    script.at(10, "chat", tells("chat", "Ann: I am sick"), by: "Chat")
    script.at(20, "mail", says("A letter"), by: "Chat")
    script.at(30, "alarm", shouts("Your train leaves"), by: "Chat")
    script.at(3_000, "time", says("It is ten past nine"), by: "Lock")
    script.at(5_000, "timer", tells("timer", "Tea: done", ["final": true]), by: "Chat")
    script.at(8_000, "other", says("Somebody else's"), by: "Other")

    let heard = try script.run()

    #expect(heard.end("chat") == "10 inhibited")
    #expect(heard.end("mail") == "20 inhibited")
    #expect(heard.rule("chat") == "lock")
    #expect(heard.why("chat")["reason"] == "locked")
    for label in ["alarm", "time", "timer", "other"] {
      #expect(heard.result(label) == "heard", "\(label)")
    }
  }

  @Test func `what waits or is being spoken when the screen is locked ends there`() throws {
    var script = Script()
    script.at(0, "spoken", says(text(60)), by: "Chat")
    script.at(10, "waiting", says("A letter", ["queue": true]), by: "Chat")
    script.at(500, window("lock", "opened", ["lock": true]), by: "Lock")

    let heard = try script.run()

    #expect(heard.result("spoken") == "inhibited")
    #expect(heard.why("spoken")["reason"] == "locked")
    #expect(heard.end("waiting") == "500 inhibited")
    #expect(heard.silenced == ["500 spoken"])
  }

  @Test func `nobody has the last text said again before a locked screen`() throws {
    var script = Script()
    script.at(0, "chat", says("Ann: I am sick"), by: "Chat")
    script.at(5_000, window("lock", "opened", ["lock": true]), by: "Lock")
    script.at(6_000, user("repeat"))

    #expect(try script.run().spoken.filter { $0.contains("sick") } == ["0 Ann: I am sick"])
  }

  @Test func `a window of the same name that comes later does not lock`() throws {
    var script = locked()
    script.leaves(100, "Lock")
    script.joins(20_000, "Lock again", with: ["app": "Lock"])
    script.at(20_010, window("lock", "opened"), by: "Lock again")
    script.at(21_000, "mail", says("A letter"), by: "Chat")

    #expect(try script.run().result("mail") == "heard")
  }

  @Test func `no other user lifts the lock with many windows`() throws {
    var script = locked()
    for number in 0..<100 {
      script.at(1, window("w\(number)", "opened", ["lock": true]), by: "Other")
    }
    script.at(10, "mail", says("A letter"), by: "Chat")

    #expect(try script.run().why("mail")["reason"] == "locked")
  }

  @Test(arguments: ["closed", "unlocked", "gone"])
  func `it ends with its window, by its word, or with its app`(end: String) throws {
    var script = locked()
    switch end {
    case "closed": script.at(100, window("lock", "closed"), by: "Lock")
    case "unlocked": script.at(100, event("window", ["window": "lock", "lock": false]), by: "Lock")
    default: script.leaves(100, "Lock")
    }
    script.at(6_000, "mail", says("A letter"), by: "Chat")

    #expect(try script.run().result("mail") == "heard")
  }
}
