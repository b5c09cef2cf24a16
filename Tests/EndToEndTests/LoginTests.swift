// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// Several people at one machine, by the word of a real login manager: a greeter, somebody who logs
/// in, and two sessions of which one is in front.
///
/// `a11yctl listen` is everybody's voice, and `a11yctl announce` everybody's app.
@Suite(
  .serialized,
  .timeLimit(.minutes(hangs)),
  .enabled(if: BootedMachine.obstacle == nil, Comment(rawValue: BootedMachine.obstacle ?? ""))
)
struct LoginTests {
  private let machine: BootedMachine
  /// A connection of root that sees the whole log from here on.
  private let witness: LineClient

  init() throws {
    machine = try BootedMachine.forPeople.get()
    witness = try LineClient(machine.path("/run/a11yd/control.sock"))
    let reply = try witness.ask(#"{"id":1,"op":"subscribe","from":"now"}"#)
    #expect(reply?["ok"] != nil)
  }

  // MARK: People

  /// Logs somebody in at the seat, in front of all others, until the bus knows it.
  private func logIn(_ user: String, _ kind: String = "user") throws {
    let session = ["XDG_SEAT=seat0", "XDG_SESSION_TYPE=wayland", "XDG_SESSION_CLASS=\(kind)"]
      .map { "--setenv=\($0)" }.joined(separator: " ")
    let unit = "--unit=session-of-\(user) --property=User=\(user) --property=PAMName=login"
    try machine.run("sh", "-c", "systemd-run --quiet \(unit) \(session) sleep infinity")
    try waitUntil(sits: user)
  }

  /// Brings the session of somebody to the front.
  private func bringForward(_ user: String) throws {
    let session = try machine.run("loginctl", "show-user", "--value", "--property=Display", user)
    try machine.run("loginctl", "activate", session)
    try waitUntil(sits: user)
  }

  private func logOut(_ users: String...) throws {
    for user in users { try machine.run("systemctl", "stop", "session-of-\(user)") }
  }

  private func waitUntil(sits user: String) throws {
    let uid = try #require(Int(machine.run("id", "-u", user)))
    try waitFor { event in
      event["type"] as? String == "seat" && (event["uids"] as? [Int] ?? []).contains(uid)
    }
  }

  /// Reads on to the first event that is meant, of the machine's log or of another.
  @discardableResult
  private func waitFor(
    on log: LineClient? = nil,
    _ isMeant: ([String: Any]) -> Bool
  ) throws -> [String: Any] {
    while let line = try (log ?? witness).next() {
      if let event = line["event"] as? [String: Any], isMeant(event) { return event }
    }
    throw Missing()
  }

  private struct Missing: Error {}

  /// The voice of somebody, and the texts that it gets.
  private struct Voice {
    let pid: String
    let lines: Lines
  }

  private func voice(of user: String, on log: LineClient? = nil) throws -> Voice {
    let listen = "echo $$; exec a11yctl listen --ms-per-char 0 --app \(user) 2>/dev/null"
    let (_, lines) = try machine.command(as: user, ["sh", "-c", listen]).beginReading()
    let pid = try #require(lines.next())
    try waitFor(on: log) { $0["state"] as? String == "listening" && $0["app"] as? String == user }
    return Voice(pid: pid, lines: lines)
  }

  /// All texts that a voice has got, which ends with it; other signals are blocked in what the
  /// tests start.
  private func end(_ voice: Voice) throws -> [String] {
    try machine.run("kill", "-KILL", voice.pid)
    return Array(voice.lines)
  }

  /// Says something in the name of somebody, and returns how it has ended.
  private func say(
    _ text: String,
    _ user: String,
    _ options: String...,
    on log: LineClient? = nil
  ) throws -> String {
    let words = ["a11yctl", "announce", "--app", "app-of-\(user)"] + options + [text]
    _ = try machine.command(as: user, words).output()
    let outcome = try waitFor(on: log) {
      $0["type"] as? String == "outcome" && $0["app"] as? String == "app-of-\(user)"
    }
    return outcome["result"] as? String ?? ""
  }

  // MARK: Situations

  @Test func `a greeter's voice hands over to that of the person who logs in`() throws {
    try logIn("greeter", "greeter")
    let greeter = try voice(of: "greeter")
    #expect(try say("Who are you?", "greeter") == "heard")

    try logIn("ann")
    #expect(try say("The greeter goes on.", "greeter") == "undeliverable")
    let ann = try voice(of: "ann")
    #expect(try say("Good morning, Ann.", "ann") == "heard")

    let (greeting, morning) = try (end(greeter), end(ann))
    #expect(greeting == ["Who are you?"])
    #expect(morning == ["Good morning, Ann."])
    try logOut("greeter", "ann")
  }

  @Test func `of two sessions only the one in front is heard, and by its own voice`() throws {
    try logIn("ann")
    let ann = try voice(of: "ann")
    try logIn("bob")
    let bob = try voice(of: "bob")

    #expect(try say("For Bob", "bob") == "heard")
    #expect(try say("For Ann", "ann") == "undeliverable")
    let why = try machine.command(as: "ann", ["a11yctl", "why"]).output()
    #expect(why.contains("its user did not sit at the machine"), "\(why)")
    try bringForward("ann")
    #expect(try say("For Ann again", "ann") == "heard")
    #expect(try say("For Bob again", "bob") == "undeliverable")

    let tail = ["a11yctl", "tail", "--from", "start", "--until-caught-up"]
    let seen = try machine.command(as: "bob", tail).output()
    #expect(seen.contains("For Bob again") && !seen.contains("For Ann"), "\(seen)")
    #expect(try end(ann) == ["For Ann again"])
    #expect(try end(bob) == ["For Bob"])
    try logOut("ann", "bob")
  }

  @Test func `what a service says is heard by the person in front`() throws {
    try logIn("ann")
    try logIn("bob")
    let (ann, bob) = try (voice(of: "ann"), voice(of: "bob"))

    #expect(try say("The battery is low", "battery") == "heard")
    try bringForward("ann")
    #expect(try say("The battery is empty", "battery") == "heard")

    // A voice that does not speak shows what the machine says all the same.
    let both = ["The battery is low", "The battery is empty"]
    #expect(try end(ann) == both)
    #expect(try end(bob) == both)
    try logOut("ann", "bob")
  }

  // MARK: The bus of a session

  /// Starts the bus of somebody's session, and returns a connection that sees its log from then on.
  private func startBus(of user: String) throws -> LineClient {
    let uid = try machine.run("id", "-u", user)
    // The login manager starts it as well, and may not have done so yet.
    try machine.run("systemctl", "start", "user@\(uid).service")
    let start = ["systemctl", "--user", "start", "a11yd.socket"]
    _ = try machine.command(as: user, start).output()
    let own = try LineClient(machine.path("/run/user/\(uid)/a11yd/bus.sock"))
    #expect(try own.ask(#"{"id":1,"op":"subscribe","from":"now"}"#)?["ok"] != nil)
    return own
  }

  @Test func `the bus of a session is silent while its user is in the background`() throws {
    try logIn("cleo")
    let own = try startBus(of: "cleo")
    let voice = try voice(of: "cleo", on: own)
    #expect(try say("In front", "cleo", on: own) == "heard")

    try logIn("bob")
    try waitFor(on: own) { $0["type"] as? String == "seat" && $0["uids"] as? [Int] == [0] }
    #expect(try say("In the background", "cleo", on: own) == "undeliverable")
    let why = try machine.command(as: "cleo", ["a11yctl", "why"]).output()
    #expect(why.contains("its user did not sit at the machine"), "\(why)")
    try bringForward("cleo")
    try waitFor(on: own) { $0["type"] as? String == "seat" && $0["uids"] == nil }
    #expect(try say("In front again", "cleo", on: own) == "heard")

    #expect(try end(voice) == ["In front", "In front again"])
    try logOut("cleo", "bob")
  }

  /// Says to the login manager what a lock screen says.
  private func lock(_ isLocked: Bool, session user: String) throws {
    let id = try machine.run("loginctl", "show-user", "--value", "--property=Display", user)
    let manager = "org.freedesktop.login1"
    let find = "\(manager) /org/freedesktop/login1 \(manager).Manager GetSession s \(id)"
    let answer = try machine.run("sh", "-c", "busctl call \(find)")
    let path = try #require(answer.split(separator: "\"").last)
    let hint = "\(manager) \(path) \(manager).Session SetLockedHint b \(isLocked)"
    try machine.run("sh", "-c", "busctl call \(hint)")
  }

  @Test func `while the screen is locked an alarm is heard, and nothing else`() throws {
    try logIn("cleo")
    let own = try startBus(of: "cleo")
    let voice = try voice(of: "cleo", on: own)
    let watch = ["systemctl", "--user", "start", "a11y-notifications"]
    _ = try machine.command(as: "cleo", watch).output()

    try lock(true, session: "cleo")
    try waitFor(on: own) { $0["lock"] as? Bool == true }
    #expect(try say("A chat", "cleo", on: own) == "inhibited")
    let why = try machine.command(as: "cleo", ["a11yctl", "why"]).output()
    #expect(why.contains("the session was locked"), "\(why)")
    #expect(try say("An alarm", "cleo", "--priority", "high", on: own) == "heard")
    try lock(false, session: "cleo")
    try waitFor(on: own) { $0["type"] as? String == "window" && $0["state"] as? String == "closed" }
    #expect(try say("Another chat", "cleo", on: own) == "heard")

    #expect(try end(voice) == ["An alarm", "Another chat"])
    try logOut("cleo")
  }
}
