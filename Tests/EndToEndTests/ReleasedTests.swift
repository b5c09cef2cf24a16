// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// Logs, rules, conversations and clients of earlier versions, held against this one.
@Suite(.timeLimit(.minutes(hangs)))
struct ReleasedTests {
  /// The conversations that this version answers differently on purpose, each with the reason.
  private static let departures: [String: String] = [:]

  private func run(_ words: String...) throws -> (status: Int32, output: String) {
    try Command(LogFiles.tool, words).run()
  }

  @Test func `there are files, and they are small`() throws {
    let folder = URL(filePath: #filePath).appending(path: "../../Released").standardizedFileURL
    let paths = try #require(FileManager.default.enumerator(atPath: folder.path))
    let bytes = paths.compactMap { path in
      let file = folder.appending(path: "\(path)").path
      return try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
    }

    #expect(Released.versions.contains("0.1"))
    #expect(bytes.reduce(0, +) < Released.versions.count << 20)
  }

  @Test(arguments: Released.versions)
  func `the log is verified as it was then`(version: String) throws {
    let released = try Released(version)
    let then = try #require(released.told()["verify"].list?.last)

    let verdict = try run("log", "verify", "--json", "--log", released.log)
    let now = try JSON(String(try #require(verdict.output.split(separator: "\n").last)))

    #expect(verdict.status == 1)
    for member in ["intact", "segments", "entries", "first", "last", "lost"] {
      #expect(then[member].isThere && now[member] == then[member], "\(member)")
    }
  }

  @Test(arguments: Released.versions)
  func `every entry is read, in bytes and in words`(version: String) throws {
    let released = try Released(version)
    let told = try released.told()

    let lines = try run("log", "cat", "--json", "--log", released.log).output
      .split(separator: "\n").filter { $0.hasPrefix(#"{"seq""#) }
    let types = try lines.map { try Entry(String($0)).event()["type"].string }
    let words = try run("log", "cat", "--log", released.log)

    #expect(lines.count == told["entries"].integer.map { Int($0) })
    #expect(Set(types.compactMap(\.self)) == Set(try #require(told["types"].strings)))
    #expect(words.status == 0)
    #expect(words.output.split(separator: "\n").count >= lines.count)
  }

  @Test(arguments: Released.versions)
  func `the log is replayed, whatever would be decided now`(version: String) throws {
    let released = try Released(version)

    let replay = try run("replay", "--json", released.log)

    #expect([0, 1].contains(replay.status), "\(replay.output)")
    #expect(replay.output != "")
  }

  @Test(arguments: Released.versions)
  func `why is answered as it was then`(version: String) throws {
    let released = try Released(version)
    let then = try released.told()["why"]

    let now = try JSON(run("why", "--json", "--log", released.log).output)

    #expect(then["entry"]["seq"].isThere && now["entry"] == then["entry"])
    for member in ["outcome", "result", "rule", "why"] {
      #expect(now[member] == then[member], "\(member)")
    }
    #expect(now["sentence"].string?.hasPrefix("\(then["entry"]["seq"].integer ?? 0) ") == true)
  }

  @Test(arguments: Released.versions)
  func `this daemon goes on with the log, and explains every event on it`(version: String) throws {
    let released = try Released(version)
    let told = try released.told()
    let verdict = try #require(told["verify"].list?.last)
    let daemon = try released.start()
    // What became of an event stands on the log even where the event itself was lost.
    let lost = verdict["lost"].list ?? []
    let ends = try #require(told["ends"].list).filter { end in
      let of = end[0].integer ?? 0
      return !lost.contains { ($0["from"].integer ?? 0)...($0["to"].integer ?? 0) ~= of }
    }

    #expect(daemon.ready.last >= (try #require(verdict["last"].integer)))
    let requests = try ends.map {
      #"{"id":1,"op":"explain","seq":\#(try #require($0[0].integer))}"# + "\n"
    }
    let client = try daemon.connect()
    let answers = try client.converse(Array(requests.joined().utf8), lines: requests.count)
    #expect(ends.count > 500)
    for (end, line) in zip(ends, answers) {
      let answer = try JSON(line)["ok"]
      #expect(answer["result"] == end[1], "\(line)")
      #expect(answer["rule"] == end[2], "\(line)")
      #expect(answer["outcome"]["event"]["of"] == end[0], "\(line)")
      #expect(answer["sentence"].string?.isEmpty == false, "\(line)")
    }
    try goOn(daemon, lost: verdict["lost"])
  }

  /// New events follow the old entries, of which none is missing but for those that were lost.
  private func goOn(_ daemon: RunningDaemon, lost: JSON) throws {
    let seq = try daemon.connect().publishAccepted(#"{"type":"announcement","text":"Go on"}"#)
    let subscriber = try daemon.connect()
    try subscriber.subscribe(#","from":"start""#)
    var (next, gaps): (Int64, [JSON]) = (1, [])
    while next <= seq {
      let line = try JSON(subscriber.line())
      if let seq = line["seq"].integer {
        try #require(seq == next, "\(line)")
        next += 1
      } else if line["mark"] == "gap" {
        gaps.append(["from": line["from"], "to": line["to"]])
        next = try #require(line["to"].integer) + 1
      }
    }
    #expect(gaps == lost.list)
    #expect(try daemon.stop() == .exited(0))
    try daemon.start()
    #expect(daemon.ready.last > seq)
  }

  @Test(arguments: Released.versions)
  func `its rules are good and in force`(version: String) throws {
    let released = try Released(version)

    let check = try run("rules", "check", released.rules)
    let daemon = try released.start()
    let answer = try daemon.connect().ask(#"{"id":1,"op":"rules"}"#)["ok"]

    #expect(check.status == 0, "\(check.output)")
    let names = Set(answer["rules"].list?.compactMap { $0["name"].string } ?? [])
    #expect(names.isSuperset(of: ["chat is quieter", "no weather", "mute Weather"]))
    let weather = try daemon.connect()
    _ = try weather.ask(#"{"id":1,"op":"hello","app":"org.example.Weather"}"#)
    let seq = try weather.publishAccepted(#"{"type":"announcement","text":"More rain"}"#)
    let end = try weather.ask(#"{"id":1,"op":"explain","seq":\#(seq)}"#)["ok"]
    #expect(end["rule"] == "mute Weather", "\(end)")
  }

  @Test(arguments: Released.listed)
  func `each matcher and setting of its rules means what it meant`(version: String) throws {
    let released = try Released(version)
    let meant = try released.rulesAsRead()

    let check = try run("rules", "check", released.everyRule)
    let daemon = try released.start()
    let answer = try daemon.connect().ask(#"{"id":1,"op":"rules"}"#)["ok"]

    #expect(check.status == 0, "\(check.output)")
    #expect(!meant.isEmpty)
    let rules = answer["rules"].list ?? []
    for rule in meant {
      let now = try #require(rules.first { $0["name"] == rule["name"] })
      #expect(now["match"] == rule["match"] && now["set"] == rule["set"], "\(now)")
    }
  }

  @Test(arguments: Released.versions)
  func `without the files of its states all follows from the entries`(version: String) throws {
    let (whole, bare) = (try Released(version), try Released(version))
    #expect(try bare.removeStates())

    let daemon = try bare.start()
    let told = try lasting(daemon)
    let other = try whole.start()
    #expect(try told == lasting(other))
    // As well while the daemon runs, and before the next.
    try bare.removeStates()
    _ = try daemon.connect().publishAccepted(#"{"type":"do-not-disturb","level":40}"#)
    let before = try lasting(daemon)
    #expect(try daemon.stop() == .exited(0))
    try bare.removeStates()
    try daemon.start()
    #expect(try lasting(daemon) == before)
    #expect(before != told)
  }

  /// What the bus knows, but for that which ends by itself.
  private func lasting(_ daemon: RunningDaemon) throws -> [JSON] {
    let state = try daemon.connect().ask(#"{"id":1,"op":"state"}"#)["ok"]
    let waiting = try #require(state["pending"].list).filter { $0["due"] == .null }
    return ["focus", "windows", "reader", "do_not_disturb"].map { state[$0] } + waiting
  }

  @Test(arguments: Released.versions)
  func `its conversations are answered as they were`(version: String) throws {
    let released = try Released(version)
    let all = try FileManager.default.contentsOfDirectory(atPath: released.conversations)
    let files = all.filter { Self.departures[$0] == nil }.map { "\(released.conversations)/\($0)" }
    let empty = try ScratchDirectory()
    try Data().write(to: URL(filePath: empty("empty.toml")))

    let daemon = [
      DaemonProcess.program, "--socket", "{socket}", "--state", "{state}", "--config",
      empty("empty.toml"),
    ]
    let tool = CClients.source("tools/conformance")
    let result = try Command("/usr/bin/env", ["python3", tool] + files.sorted() + ["--"] + daemon)
      .run()

    #expect(files.count > 20)
    #expect(result.status == 0, "\(result.output)")
  }

  @Test(arguments: Released.listed, ["json", "commands", "swift", "python"])
  func `what programs may rely on is there`(version: String, list: String) throws {
    let released = try Released(version)
    let programs = URL(filePath: LogFiles.tool).deletingLastPathComponent().path
    let place = list == "python" ? CClients.source("clients/python/src") : programs
    let words = [list, place] + (list == "json" ? [released.log] : []) + [released.list(list)]

    let result = try Command(Released.shapes, words).run()

    #expect(result.status == 0, "\(result.output)")
  }

  @Test func `a member that is gone or of another type, and a parameter that is needed, are told`()
    throws
  {
    let released = try Released(try #require(Released.listed.last))
    let sources = CClients.source("clients/python/src")
    let list = released.list("python")
    var kept = try String(contentsOfFile: list, encoding: .utf8)
    let announce = try #require(kept.firstRange(of: "Bus.announce(text\tat 1\tneeded\n"))
    kept.replaceSubrange(announce, with: "Bus.sing\tcall\t\n")
    try Data(kept.utf8).write(to: URL(filePath: list))

    let result = try Command(Released.shapes, ["python", sources, list]).run()

    #expect(result.status == 1)
    #expect(result.output.contains("Bus.sing call is gone."))
    #expect(result.output.contains("Bus.announce(text is a new parameter"))
  }

  @Test(.enabled(if: !Released.runnable.isEmpty, "the kept programs are for another machine"))
  func `the ABI of the library only grows`() throws {
    try CClients.build()
    for version in Released.listed {
      let kept = try Released.client(version)

      let result = try Command(
        "/usr/bin/abidiff",
        [kept("liba11y.abi"), CClients.built("liba11y.so")]
      ).run()

      // Bits of the status: 1 and 2 are mistakes, 4 a change, 8 one that breaks programs.
      #expect([0, 4].contains(result.status), "\(result.output)")
    }
  }

  @Test(.enabled(if: !Released.runnable.isEmpty, "the kept programs are for another machine"))
  func `a function keeps its version of symbols, and a new one has a new version`() throws {
    try CClients.build()
    let now = try functions(CClients.built("liba11y.so"))
    for version in Released.listed {
      let kept = try Released.client(version)
      let then = try functions(kept("liba11y.so.0"))

      #expect(!then.isEmpty)
      for (name, symbols) in then { #expect(now[name] == symbols, "\(name)") }
      for (name, symbols) in now where then[name] == nil {
        #expect(!then.values.contains(symbols), "\(name)")
      }
    }
  }

  /// The functions of a library, each with its version of symbols.
  private func functions(_ library: String) throws -> [Substring: Substring] {
    let symbols = try Command("/usr/bin/nm", ["-D", "--defined-only", library]).output()
    let pairs = symbols.matches(of: #/ T (\w+)@@(\S+)/#).map { ($0.1, $0.2) }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  @Test(
    .enabled(if: !Released.runnable.isEmpty, "the kept programs are for another machine"),
    arguments: Released.runnable,
    [false, true]
  )
  func `its client in C counts, with its own library and with that of now`(
    version: String,
    isLibraryOfNow: Bool
  ) throws {
    try CClients.build()
    let client = try Released.client(version)
    if isLibraryOfNow {
      let library = client("liba11y.so.0")
      try FileManager.default.removeItem(atPath: library)
      // The file itself: a copy of the link would lead to the library that was kept.
      let now = URL(filePath: CClients.built("liba11y.so.0")).resolvingSymlinksInPath()
      try FileManager.default.copyItem(at: now, to: URL(filePath: library))
    }

    try CounterTests().count(CounterTests.Language("C of \(version)", client("counter")))
  }
}
