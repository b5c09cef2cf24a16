// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yClient
import A11yTestKit
import DBus
import Testing

/// The ears by themselves: signals and answers in, questions and events out, time as a number.
@Suite(.timeLimit(.minutes(hangs))) struct EarsTests: EarsTrial {
  var ears = Ears()
  var now: Int64 = 1_000_000_000

  // MARK: Programs

  @Test mutating func `events wait for the name of their program, and come in order`() throws {
    let first = try hear(.announcement("one", isAssertive: false))
    let second = try hear(.announcement("two", isAssertive: true))
    let named = try answer(
      SourceQuestion(.program, .root(of: Self.sender)),
      .program(name: "org.gnome.TextEditor")
    )

    #expect(first.questions == [SourceQuestion(.program, .root(of: Self.sender))])
    #expect(first.events + second.events == [])
    #expect(named.texts == ["one", "two"])
    #expect(named.apps == ["org.gnome.TextEditor", "org.gnome.TextEditor"])
    #expect(named.events.map { $0["priority"]?.string } == ["default", "high"])
    #expect(named.events.map { $0["queue"]?.flag } == [true, nil])
    #expect(named.events.allSatisfy { $0["origin"]?.string == "atspi" })
    #expect(named.events[0]["element"]?.string == ":1.7/5")
  }

  @Test mutating func `a program that does not tell its name is heard all the same`() throws {
    try hear(.announcement("one", isAssertive: false))
    let named = try answer(SourceQuestion(.program, .root(of: Self.sender)), .none)

    #expect(named.texts == ["one"])
    #expect(named.apps == ["atspi :1.7"])
  }

  @Test(arguments: ["a11y-atspi", "org.gnome.Terminal"])
  mutating func `the own mouth and apps that are left alone are not heard`(name: String) throws {
    ears.leaveAlone(["org.gnome.Terminal"])
    try hear(.announcement("one", isAssertive: false))
    let named = try answer(SourceQuestion(.program, .root(of: Self.sender)), .program(name: name))
    let later = try hear(.inserted("two"))

    #expect(named.events + later.events == [])
    #expect(later.questions == [])
  }

  @Test mutating func `an app leaves with the last of its connections`() throws {
    try introduce("chromium", ":1.7")
    try introduce("chromium", ":1.8")
    ears.left(":1.7")
    let first = try turn()
    ears.left(":1.8")
    let second = try turn()

    #expect(first.left == [])
    #expect(second.left == ["chromium"])
  }

  @Test mutating func `a program is left alone, and heard again, as the settings change`() throws {
    try introduce("chromium")
    ears.leaveAlone(["chromium"])
    let left = try turn()
    let silent = try hear(.announcement("one", isAssertive: false))
    ears.leaveAlone([])
    let heard = try hear(.announcement("two", isAssertive: false))

    #expect(left.left == ["chromium"])
    #expect(silent.events == [])
    #expect(heard.texts == ["two"])
  }

  // MARK: Bounds

  @Test mutating func `one object of a program is asked at a time, and 32 wait`() throws {
    try introduce()
    var questions: [SourceQuestion] = []
    for number in 1...80 {
      let source = SourceObject(Self.sender, "/o/\(number)")
      questions += try hear(.inserted("x"), from: source).questions
    }
    let next = try answer(questions[0], .none)

    #expect(questions == [SourceQuestion(.facts, SourceObject(Self.sender, "/o/1"))])
    #expect(next.questions == [SourceQuestion(.facts, SourceObject(Self.sender, "/o/2"))])
    #expect(ears.overrun == 80 - 32)
  }

  @Test mutating func `64 questions are open in all`() throws {
    for program in 1...5 {
      try introduce("app \(program)", ":2.\(program)")
      for number in 1...20 {
        try hear(.inserted("x"), from: SourceObject(":2.\(program)", "/o/\(number)"))
      }
    }

    #expect(ears.overrun == 100 - 64)
  }

  @Test mutating func `of a flood the first and the last are told, and the rest is counted`() throws
  {
    try introduce()
    try teach(Self.region, SourceFacts(attributes: Self.polite))
    var told = 0
    for number in 1...10_000 {
      told += try hear(.inserted("change \(number)")).events.count
    }
    let due = try #require(ears.due)
    now = due
    ears.catchUp(at: now)
    let last = try turn()

    #expect((250...256).contains(told))
    #expect(last.texts == ["change 10000"])
    #expect(told + ears.overrun + 1 == 10_000)
    #expect(ears.due == nil)
  }

  @Test mutating func `the last word waits for the name of its program, too`() throws {
    for number in 1...100 { try hear(.announcement("\(number)", isAssertive: false)) }
    let named = try answer(SourceQuestion(.program, .root(of: Self.sender)), .program(name: "one"))

    #expect(named.texts == (1...31).map(String.init) + ["100"])
    #expect(ears.overrun == 68)
  }

  @Test mutating func `programs that hang leave room for another`() throws {
    for sender in [":1.90", ":1.91"] {
      for number in 1...40 {
        try hear(.inserted("one"), from: SourceObject(sender, "\(Self.region.path)\(number)"))
      }
    }
    let asked = try hear(.inserted("Saved"))
    let program = SourceQuestion(.program, .root(of: Self.sender))
    #expect(asked.questions == [program])
    let named = try answer(program, .program(name: "editor"))
    #expect(named.questions == [SourceQuestion(.facts, Self.region)])
  }

  @Test mutating func `a bus that has gone takes its programs with it`() throws {
    try introduce()
    ears.forget()
    let gone = try turn()
    let anew = try hear(.announcement("one", isAssertive: false))

    #expect(gone.left == ["chromium"])
    #expect(anew.questions == [SourceQuestion(.program, .root(of: Self.sender))])
  }
}
