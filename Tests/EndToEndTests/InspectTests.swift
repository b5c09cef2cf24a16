// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// The view of focus and elements, with keys pressed in a terminal.
@Suite(.timeLimit(.minutes(hangs)))
struct InspectTests {
  let daemon: RunningDaemon
  let app: RawClient

  init() throws {
    daemon = try RunningDaemon()
    app = try daemon.connect()
    _ = try app.ask(#"{"id":1,"op":"hello","app":"shop"}"#)
    for event in [
      #"{"type":"elements","window":"w","upsert":[{"id":"box","label":"Basket"},"#
        + #"{"id":"add","parent":"box","label":"Add","hint":"Adds it.","traits":["button"],"#
        + #""frame":[1,2,30,40]},"#
        + #"{"id":"more","parent":"box","label":"More","value":"3","traits":["adjustable"]},"#
        + #"{"id":"gone","label":"Gone","hidden":true}]}"#,
      #"{"type":"window","window":"w","state":"active","title":"Shop"}"#,
    ] { _ = try app.publishAccepted(event) }
  }

  private static var program: String {
    URL(filePath: DaemonProcess.program).deletingLastPathComponent().appending(path: "a11yctl").path
  }

  private func a11yctl(_ words: String...) throws -> [String] {
    let output = try Command(Self.program, words + ["--socket", daemon.socket]).output()
    return output.split(separator: "\n").map(String.init)
  }

  @Test func `focus tells what has it, how that sounds, where it is, and who moved it`() throws {
    let lines = try a11yctl("focus")

    #expect(lines.count == 6)
    #expect(lines[0] == "The focus is on add in w of shop.")
    #expect(lines[1] == "It is spoken as: Add, button. Adds it.")
    #expect(lines[2] == #"It is in Basket (box), in window "Shop" (w), of shop."#)
    #expect(lines[3] == "It is 1 of 2 in the reading order.")
    #expect(lines[4].hasPrefix("The bus moved it there, because the window became active, "))
    #expect(lines[5].hasSuffix(#": shop is now the active window "Shop"."#))
  }

  @Test func `the log alone says the same as the bus, at every entry`() throws {
    let seq = try app.publishAccepted(#"{"type":"action","action":"next"}"#)
    let live = try a11yctl("focus")
    let before = try a11yctl("focus", "--at", "\(seq)")
    let log = try Command(Self.program, ["focus", "--log", daemon.state]).output()

    #expect(live[0] == "The focus is on more in w of shop.")
    #expect(live[4].hasPrefix("The user moved it there, with the action next, "))
    #expect(before[0] == "The focus is on add in w of shop.")
    #expect(log.split(separator: "\n").map(String.init) == live)
    let history = try a11yctl("focus", "--history")
    #expect(history.count == 2)
    #expect(
      history[0].hasSuffix(
        " the bus moved the focus to add in w of shop, because the window became active"
      )
    )
    #expect(
      history[1].hasSuffix(" the user moved the focus to more in w of shop, with the action next")
    )
    #expect(try a11yctl("focus", "--history", "--count", "1") == [history[1]])
  }

  @Test func `tree tells every element with its level, and what is hidden`() throws {
    #expect(
      try a11yctl("tree") == [
        #"Window w "Shop" of shop, active, 4 elements."#, "Level 1, Basket, container, id box",
        "Level 2, has the focus, Add, button, id add",
        "Level 2, More, value 3, adjustable, id more", "Level 1, Gone, hidden, id gone",
      ]
    )
    let json = try a11yctl("tree", "--json", "--app", "shop").map { try JSON($0) }
    #expect(json.map { $0["element"].string } == ["box", "add", "more", "gone"])
    #expect(json[1]["focus"] == true)
    #expect(json[1]["frame"] == [1, 2, 30, 40])
    #expect(json[3]["hidden"] == true)
  }

  @Test func `a window that is not there is answered with those that are`() throws {
    let result = try Command(
      Self.program,
      ["tree", "--window", "x", "--socket", daemon.socket]
    ).run()

    #expect(result.status == 65)
    #expect(result.output == "a11yctl: There is no such window. The windows are: w of shop.")
  }

  @Test func `in a terminal, keys act and the screen follows the focus`() throws {
    let screen = try Screen([Self.program, "inspect", "--screen", "--socket", daemon.socket])
    #expect(try screen.shows("Spoken: Add, button. Adds it.").contains("Frame: at 1, 2, 30 wide"))

    try screen.press("n")
    let next = try screen.shows("Focus: more in w of shop")
    #expect(next.contains("Moved: by the user, with the action next"))
    #expect(!next.contains("Adds it."))

    let gestures = try daemon.connect()
    _ = try gestures.subscribe(#","filter":{"types":["gesture"]}"#)
    _ = try gestures.answer()
    try screen.press("+")
    let gesture = try gestures.entry()
    #expect(try gesture.event()["name"] == "increment")
    _ = try app.publishAccepted(
      #"{"type":"elements","window":"w","upsert":[{"id":"more","value":"4"}]}"#
    )
    _ = try app.publishAccepted(#"{"type":"handled","of":\#(gesture.seq),"handled":true}"#)
    _ = try screen.shows("Value: 4")
    _ = try screen.shows("was handled: its app did what the user asked for.")

    try screen.press("p")
    _ = try screen.shows("Focus: add in w of shop")
    try screen.press("q")
    #expect(try screen.hasEnded())
  }

  @Test func `each change is a line, and what is spoken comes first`() throws {
    let screen = try Screen([Self.program, "inspect", "--socket", daemon.socket])
    _ = try screen.shows("h tells the keys.")
    try screen.press("l")
    let lines = try screen.shows("Focus: more").split(separator: "\n").map(String.init)

    let spoken = lines.lastIndex { $0 == "Spoken: More, 3, adjustable" }
    let focus = lines.lastIndex { $0.hasPrefix("Focus: more") }
    #expect(spoken != nil && focus != nil && (spoken ?? 0) < (focus ?? 0))
    #expect(lines.contains { $0 == "Focus: add in w of shop" })
    try screen.press("q")
    #expect(try screen.hasEnded())
  }

  @Test func `every key has an answer`() throws {
    let screen = try Screen([Self.program, "inspect", "--socket", daemon.socket])
    _ = try screen.shows("h tells the keys.")
    for (key, words) in [
      ("x", "x has no meaning here; h tells the keys."),
      ("Tab", "Tab has no meaning here"),
      ("p", "There is nothing further; the focus stays on add in w."),
      ("End", "Focus: more in w of shop"),
      ("n", "There is nothing further; the focus stays on more in w."),
      ("l", "The focus stays on more in w."),
      ("r", "There is nothing to say again."),
      ("w", "1: w \"Shop\" of shop, active, 4 elements, has the focus."),
      ("7", "There is no window 7."),
      ("t", "Level 2, has the focus, More, value 3, adjustable, id more"),
      ("o", "was not heard"),
      ("e", "shop is asked to handle escape"),
      ("i", "Position: 2 of 2 in the reading order"),
      ("h", "w tells the windows, each with a number; that number goes to the window."),
    ] {
      try screen.clear()
      try screen.press(key)
      _ = try screen.shows(words)
    }
    // The first one may end words that still wait for a reader.
    try screen.press("s")
    try screen.press("s")
    _ = try screen.shows("Nothing was being spoken.")
    try screen.press("q")
    #expect(try screen.hasEnded())
  }

  @Test func `a number goes to its window, and no place is a dead end`() throws {
    let other = try daemon.connect()
    _ = try other.ask(#"{"id":1,"op":"hello","app":"notes"}"#)
    for event in [
      #"{"type":"elements","window":"n","upsert":[{"id":"line","label":"Line"}]}"#,
      #"{"type":"window","window":"n","state":"active","title":"Notes"}"#,
    ] { _ = try other.publishAccepted(event) }
    let screen = try Screen([Self.program, "inspect", "--socket", daemon.socket])
    _ = try screen.shows("Focus: line in n of notes")

    try screen.press("1")
    _ = try screen.shows("Focus: add in w of shop")
    try screen.press("2")
    _ = try screen.shows("Focus: line in n of notes")
    for window in [("w", app), ("n", other)] {
      _ = try window.1.publishAccepted(
        #"{"type":"window","window":"\#(window.0)","state":"closed"}"#
      )
    }
    _ = try screen.shows("Focus: nowhere")
    try screen.clear()
    try screen.press("w")
    _ = try screen.shows("No window is open yet; this goes on when an app opens one.")
    try screen.press("q")
    #expect(try screen.hasEnded())
  }

  @Test func `an outcome is told by the text that has ended`() throws {
    let screen = try Screen([Self.program, "inspect", "--socket", daemon.socket])
    _ = try screen.shows("h tells the keys.")
    let seq = try app.publishAccepted(
      #"{"type":"announcement","text":"Added to the basket","ttl_ms":50}"#
    )
    _ = try screen.shows("“Added to the basket”, entry \(seq), was not heard")
    try screen.press("q")
    #expect(try screen.hasEnded())
  }
}

/// A terminal in which a program runs, and somebody presses keys.
private final class Screen {
  private let name = "a11y-\(UUID().uuidString)"

  init(_ words: [String]) throws {
    let command = words.map { "'\($0)'" }.joined(separator: " ")
    let session = ["new-session", "-d", "-x", "120", "-y", "50", command]
    _ = try Command(
      "/bin/bash",
      ["-c", Self.alone, "bash", "/usr/bin/tmux", "-L", name, "-f", "/dev/null"] + session
    ).output()
  }

  /// The terminal stays when its command has ended: it must not hold open what others wait to see
  /// closed.
  private static let alone = """
    (
      for file in /proc/$BASHPID/fd/*; do
        number=${file##*/}
        if ((number > 2)); then eval "exec $number>&-"; fi
      done
      exec "$@"
    )
    """

  deinit { _ = try? Command("/usr/bin/tmux", ["-L", name, "kill-server"]).run() }

  func press(_ key: String) throws { try tmux("send-keys", key) }

  /// Forgets what it has shown until now.
  func clear() throws { try tmux("send-keys", "-R") }

  /// The screen as soon as it has these words.
  func shows(_ words: String) throws -> String {
    let deadline = Deadline.usual
    var text = ""
    while !deadline.isOver {
      text = (try? tmux("capture-pane", "-p")) ?? ""
      if text.contains(words) { return text }
    }
    throw Missing("“\(words)” on the screen, which says: \(text)")
  }

  /// Whether the program ends, and the terminal with it.
  func hasEnded() throws -> Bool {
    let deadline = Deadline.usual
    while !deadline.isOver {
      if try Command("/usr/bin/tmux", ["-L", name, "has-session"]).run().status != 0 {
        return true
      }
    }
    return false
  }

  @discardableResult
  private func tmux(_ words: String...) throws -> String {
    try Command("/usr/bin/tmux", ["-L", name, "-f", "/dev/null"] + words).output()
  }
}
