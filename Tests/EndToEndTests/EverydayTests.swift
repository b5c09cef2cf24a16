// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// The commands of every day, against the real daemon, with a reader that listens.
@Suite(.timeLimit(.minutes(hangs)))
struct EverydayTests {
  let daemon: RunningDaemon
  let app: RawClient
  let reader: RawClient

  init() throws {
    daemon = try RunningDaemon(config: "[rules]\ndirs = [\"$XDG_CONFIG_HOME/a11yd/rules.d\"]\n")
    app = try daemon.connect()
    try app.hello("org.example.Chat")
    reader = try daemon.connect()
    try reader.hello("voice", role: "reader")
    try reader.subscribe(#","filter":{"types":["deliver","silence","outcome"]}"#)
  }

  /// `a11yctl` of a session of its own, in which no systemd runs.
  private func command(_ words: [String], _ more: [String: String] = [:]) throws -> Command {
    let home = try RunningDaemon.home(in: daemon.directory)
    return Command(
      LogFiles.tool,
      words + ["--socket", daemon.socket],
      environment: home.merging(["DBUS_SESSION_BUS_ADDRESS": ""]) { $1 }.merging(more) { $1 }
    )
  }

  private func run(_ words: String...) throws -> (status: Int32, output: String) {
    try command(words).run()
  }

  private func ctl(_ words: String...) throws -> String { try command(words).output() }

  private func announce(_ text: String, more: String = "") throws -> Int64 {
    try app.publishAccepted(#"{"type":"announcement","text":"\#(text)"\#(more)}"#)
  }

  /// The next delivery or order of silence that the reader gets; it has spoken at once.
  private func next(_ type: String) throws -> JSON {
    while true {
      let entry = try reader.entry().json()
      guard entry["event"]["type"].string == type else { continue }
      if type == "deliver", let seq = entry["seq"].integer {
        try reader.publishAccepted(#"{"type":"speech","of":\#(seq),"state":"finished"}"#)
      }
      return entry["event"]
    }
  }

  private func spoken() throws -> String? {
    try next("deliver")["speak"].list?.first?["text"].string
  }

  /// Waits until an event has ended, and tells how.
  private func end(of seq: Int64) throws -> JSON {
    let watcher = try daemon.connect()
    try watcher.subscribe(#","from":"start","filter":{"types":["outcome"]}"#)
    while true {
      let event = try watcher.entry().json()["event"]
      if event["of"].integer == seq { return event }
    }
  }

  // MARK: Mute

  @Test func `a muted app is kept on record only, until it is unmuted`() throws {
    let said = try ctl("mute", "org.example.Chat")
    let seqs = try [announce("Hi"), announce("Fire", more: #","priority":"high""#)]

    #expect(
      said == "org.example.Chat is muted until you say a11yctl unmute.\nAnswers to what you do in"
        + " it are heard all the same; its urgent announcements are not."
    )
    for seq in seqs {
      let end = try end(of: seq)
      #expect(end["result"] == "inhibited")
      #expect(end["rule"] == "mute")
    }
    #expect(try ctl("mute") == "org.example.Chat is muted until you say a11yctl unmute.")
    #expect(try ctl("unmute", "org.example.Chat") == "org.example.Chat is heard again.")
    _ = try announce("Here again")
    #expect(try spoken() == "Here again")
    #expect(try ctl("mute") == "No app is muted.")
  }

  @Test func `answers to the user and, if wanted, urgent announcements are heard`() throws {
    _ = try ctl("mute", "org.example.Chat", "--but-urgent")
    let quiet = try announce("Ad")
    _ = try announce("Fire", more: #","priority":"high""#)
    #expect(try spoken() == "Fire")
    let action = try app.publishAccepted(
      #"{"type":"action","action":"activate","app":"org.example.Chat","element":"send"}"#
    )
    _ = try announce("Sent", more: #","cause":\#(action)"#)

    #expect(try spoken() == "Sent")
    #expect(try end(of: quiet)["result"] == "inhibited")
  }

  @Test func `an app that was never there is muted all the same, and near names are told`() throws {
    let said = try ctl("mute", "org.exmaple.Chat")

    #expect(
      said.hasPrefix(
        "No app of the name org.exmaple.Chat has been on the bus since it started; did you mean"
          + " org.example.Chat?\norg.exmaple.Chat is muted "
      )
    )
    let wrong = try run("unmute", "org.example.Chat")
    #expect(wrong.status == 64)
    #expect(
      wrong.output == "a11yctl: org.example.Chat is not muted; did you mean org.exmaple.Chat?"
    )
    #expect(try ctl("unmute") == "org.exmaple.Chat is heard again.")
  }

  @Test func `without a systemd of the user, nothing is muted for a time`() throws {
    let said = try run("mute", "org.example.Chat", "for", "1 hour")
    _ = try announce("Hi")

    #expect(said.status == 69)
    #expect(
      said.output == "a11yctl: Nothing was muted: no systemd of this user runs here that could end"
        + " it in time. Try a11yctl mute org.example.Chat, and later a11yctl unmute"
        + " org.example.Chat"
    )
    #expect(try spoken() == "Hi")
    #expect(try ctl("mute") == "No app is muted.")
  }

  @Test func `a mute that the bus would not read is refused`() throws {
    let other = ["XDG_CONFIG_HOME": daemon.directory("other")]
    let said = try command(["mute", "org.example.Chat"], other).run()

    #expect(said.status == 65)
    #expect(
      said.output.hasSuffix(
        "does not read the rules in \(other["XDG_CONFIG_HOME"] ?? "")"
          + "/a11yd/rules.d."
      )
    )
    let left = try FileManager.default.contentsOfDirectory(
      atPath: daemon.directory("other/a11yd/rules.d")
    )
    #expect(left == [])
  }

  @Test func `a mute outlives the bus, and is made without it`() throws {
    try daemon.stop()
    let said = try run("mute", "org.example.Chat")
    try daemon.start()
    let client = try daemon.connect()
    try client.hello("org.example.Chat")
    let seq = try client.publishAccepted(#"{"type":"announcement","text":"Hi"}"#)

    #expect(said.status == 0)
    #expect(said.output.hasSuffix("The bus does not run; it goes by this when it starts."))
    #expect(try end(of: seq)["rule"] == "mute")
  }

  // MARK: Quiet and readers

  @Test func `it is quiet for a while, and then not`() throws {
    #expect(try ctl("quiet") == "It is not quiet: all announcements are heard.")
    #expect(try ctl("quiet", "on").hasPrefix("It is quiet until you say a11yctl quiet off: "))
    let for30 = try ctl("quiet", "30", "min")
    #expect(for30.contains(", for 30 minutes more: announcements wait"), "\(for30)")
    _ = try announce("Later")
    _ = try announce("Now", more: #","priority":"high""#)
    #expect(try spoken() == "Now")

    #expect(try ctl("quiet", "off") == "It is not quiet: all announcements are heard.")
    #expect(try spoken() == "Later")
  }

  @Test func `the end of quiet is in the log`() throws {
    _ = try ctl("quiet", "1 ms")
    let watcher = try daemon.connect()
    try watcher.subscribe(#","from":"start","filter":{"types":["do-not-disturb"]}"#)

    #expect(try watcher.entry().json()["event"]["level"] == 60)
    #expect(try watcher.entry().json()["event"]["level"] == 0)
    #expect(try ctl("quiet") == "It is not quiet: all announcements are heard.")
  }

  @Test func `readers are named, and one that cannot say so is switched`() throws {
    #expect(try ctl("reader") == "The screen reader is on.\nvoice is the one that speaks.")

    #expect(
      try ctl("reader", "off").hasPrefix(
        "The screen reader counts as off: only urgent announcements are kept.\n"
      )
    )
    #expect(try ctl("reader", "on").hasPrefix("The screen reader is on.\n"))
    reader.close()
    while try ctl("reader") != "No screen reader that speaks is connected." {}
  }

  // MARK: What was spoken

  @Test func `texts are told, repeated by their number, and stopped`() throws {
    #expect(try ctl("history") == "Nothing was spoken yet.")
    #expect(try run("again", "1").output == "a11yctl: There is no text 1: 0 texts were spoken.")
    for text in ["First", "Second"] {
      let seq = try announce(text)
      #expect(try spoken() == text)
      _ = try end(of: seq)
    }

    let history = try ctl("history").split(separator: "\n")
    #expect(history.count == 2)
    #expect(history[0].hasPrefix("2: First. Of org.example.Chat, "))
    #expect(history[1].hasPrefix("1: Second. Of org.example.Chat, "))
    #expect(history.allSatisfy { $0.hasSuffix("; it was heard.") })
    #expect(try ctl("again", "2") == "")
    #expect(try spoken() == "First")
    // A repetition is no new text, so that the last one stays the last one.
    #expect(try ctl("again") == "")
    #expect(try spoken() == "Second")
    #expect(try ctl("history", "1").hasPrefix("1: Second. "))
  }

  @Test func `a secret text is named as one that cannot be spoken again`() throws {
    _ = try announce("hunter2 of the test", more: #","sensitive":true"#)
    while try reader.entry().json()["event"]["type"].string != "deliver" {}

    let said = try run("again", "1")

    #expect(said.status == 65)
    #expect(said.output.hasPrefix("a11yctl: Text 1 is secret; "))
  }

  @Test func `stop silences what is spoken, and prints nothing`() throws {
    let seq = try announce("A long story")
    while try reader.entry().json()["event"]["type"].string != "deliver" {}

    #expect(try ctl("stop") == "")

    let silence = try next("silence")
    #expect(silence["of"].integer ?? 0 > seq)
  }

  // MARK: What was missed

  @Test func `texts that were not heard are counted by app and reason, secrets hidden`() throws {
    let heard = try announce("Hello")
    _ = try spoken()
    _ = try end(of: heard)
    _ = try announce("Hello")
    _ = try ctl("mute", "org.example.Chat")
    _ = try announce("Ad")
    _ = try announce("hunter2 of the test", more: #","sensitive":true"#)
    _ = try ctl("quiet", "on")
    let other = try daemon.connect()
    try other.hello("org.y")
    _ = try other.publishAccepted(#"{"type":"announcement","text":"Wait"}"#)

    let lines = try ctl("missed", "--since", "1 hour ago").split(separator: "\n").map(String.init)

    #expect(lines.first?.hasSuffix(", 1 text was heard, and 3 were not.") == true)
    #expect(
      lines.filter { !$0.hasPrefix(" ") }.dropFirst() == [
        "org.example.Chat: 2 texts were not heard, because you have muted the app.",
        "org.example.Chat: 1 text was not heard, because it repeated what had been said before.",
        "org.y: 1 text waits until it is not quiet any more.",
      ]
    )
    #expect(lines.contains { $0.hasSuffix(": a hidden text of 9 to 32 characters") })
    #expect(!lines.contains { $0.contains("hunter2") })
    #expect(
      try ctl("missed", "--app", "org.z").hasSuffix(
        "nothing was missed; 0 texts were heard.\n"
          + "No app of the name org.z has been on the bus since it started; did you mean org.y?"
      )
    )
    try daemon.stop()
    let read = try Command(LogFiles.tool, ["missed", "--log", daemon.state]).output()
    #expect(read.contains("\norg.example.Chat: 2 texts were not heard, because you have muted"))
  }

  @Test func `what was cut after some time counts as heard in all counts`() throws {
    let seq = try announce("A text")
    var delivery: Int64?
    while delivery == nil {
      let entry = try reader.entry().json()
      if entry["event"]["type"].string == "deliver" { delivery = entry["seq"].integer }
    }
    _ = try app.publishAccepted(#"{"type":"action","action":"stop"}"#)
    _ = try next("silence")
    let report = #"{"type":"speech","of":\#(delivery ?? 0),"state":"interrupted","heard_ms":40}"#
    try reader.send(#"{"op":"publish","event":\#(report)}"#)

    #expect(try end(of: seq)["result"] == "interrupted")
    #expect(try ctl("stats").contains("\nThe app org.example.Chat of user ") == true)
    #expect(try ctl("stats").contains("and published 2 events; 1 was heard.\n"))
    #expect(
      try ctl("top", "--once").contains("\norg.example.Chat: 2 events, 1 heard, 0 not heard.")
    )
    let missed = try ctl("missed", "--since", "1 hour ago")
    #expect(missed.contains("nothing was missed; 1 text was heard, 1 of them in part.\n"))
    #expect(missed.contains("1 text was heard in part, because you stopped the speech."))
    let page = try Command(LogFiles.tool, ["report", "--log", daemon.state, "-o", "-"]).output()
    #expect(page.contains("1 app published 1 event to be heard; 1 of them was, 1 in part."))
  }

  // MARK: Doctor

  @Test func `the doctor ends with 0 where a reader speaks, and with 1 where it is off`() throws {
    let doctor = ["doctor", "--log", daemon.state]
    let well = try command(doctor, ["PULSE_SERVER": "tcp:localhost"]).run()
    let mute = try command(doctor, ["PULSE_SERVER": ""]).run()
    _ = try ctl("reader", "off")
    let off = try run("doctor", "--log", daemon.state)
    let json = try run("doctor", "--json", "--log", daemon.state)
    try daemon.stop()
    let gone = try run("doctor", "--log", daemon.state)

    #expect(well.status == 0, "\(well.output)")
    #expect(
      well.output.hasSuffix("\nNothing was found to be wrong. 1 thing could not be checked.")
    )
    #expect(mute.status == 0)
    #expect(
      mute.output.hasSuffix(
        "\nNothing that is switched on is wrong, but no voice could be heard here."
      )
    )
    #expect(well.output.contains("\nThe screen reader voice is there and is given the words.\n"))
    #expect(well.output.contains("\nThe end of the log in \(daemon.state) is intact.\n"))
    #expect(off.status == 1)
    #expect(off.output.contains("counts as switched off. Try: a11yctl reader on\n"))
    let objects = try json.output.split(separator: "\n").map { try JSON(String($0)) }
    #expect(objects.last?["well"] == false)
    #expect(objects.dropLast().allSatisfy { $0["check"].string != nil })
    #expect(objects.contains { $0["try"] == "a11yctl reader on" })
    #expect(gone.status == 1)
    #expect(gone.output.hasPrefix("Wrong: The bus does not run: there is no socket at "))
  }
}
