// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPlay
import A11yPosix
import A11yTestKit
import Foundation
import Testing

@testable import A11yClient
@testable import a11yctl

extension CommandTests {
  /// Scripts, replays and trials, from the command line to what is said.
  @Suite struct PlayTests {
    private final class Said {
      var lines = ""
      var complaints = ""

      var output: Output {
        Output(
          to: { bytes in
            self.lines += String(decoding: bytes, as: UTF8.self)
            return .written
          },
          complaining: { self.complaints += $0 }
        )
      }
    }

    private let said = Said()
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    private func write(_ text: String, to name: String) throws -> String {
      try text.write(toFile: scratch(name), atomically: true, encoding: .utf8)
      return scratch(name)
    }

    private static let script = """
      {"mono":0,"conn":"A","hello":{"app":"signal"}}
      {"mono":1000,"conn":"A","event":{"type":"announcement","text":"One"}}
      {"mono":3000000,"conn":"A","event":{"type":"announcement","text":"Two"}}
      """

    /// The code that a command line ends with.
    private func run(_ words: String...) -> Failure.Code? {
      do throws(Failure) {
        try Main.run(words, said.output)
        return nil
      } catch {
        return error.code
      }
    }

    /// The log that a script comes to, in a file.
    private func log(_ script: String = script) throws -> String {
      let path = try write(script, to: "script")
      try Main.run(["simulate", path], said.output)
      defer { said.lines = "" }
      return try write(said.lines, to: "log")
    }

    private func quiet() throws -> String {
      try write("[[rule]]\nname = \"quiet\"\napp = \"signal\"\npresent = \"log\"\n", to: "quiet")
    }

    // MARK: Simulate

    @Test func `what is heard alone is a line for each text, with its time`() throws {
      let script = """
        {"mono":0,"conn":"A","hello":{"app":"signal"}}
        {"mono":1000,"conn":"A","event":{"type":"announcement","text":"This is going to be cut"}}
        {"mono":501000,"conn":"A","event":{"type":"announcement","text":"Two","cause":"user"}}
        """
      #expect(run("simulate", "--heard", try write(script, to: "s")) == nil)

      #expect(
        said.lines == """
          0.00 s: This is going to be cut (interrupted after 0.50 s)
          0.50 s: Two

          """
      )
    }

    @Test func `what is heard alone has refusals among the complaints`() throws {
      #expect(run("simulate", "--heard", try write("{}\n" + Self.script, to: "s")) == .refused)

      #expect(said.lines == "0.00 s: One\n3.00 s: Two\n")
      #expect(said.complaints.hasPrefix("Line 1 was refused: mono: expected "))
    }

    // MARK: Logs in files

    @Test func `commands that read a log take a file`() throws {
      let path = try log()

      #expect(run("log", "cat", "--log", path) == nil)
      #expect(said.lines.contains("signal announces: Two"))
      said.lines = ""
      #expect(run("explain", "--log", path, "6") == nil)
      #expect(said.lines.contains("was heard"))
      said.lines = ""
      #expect(run("why", "--log", path) == nil)
      #expect(said.lines == "The log has nothing that was not heard.\n")
      said.lines = ""
      #expect(run("focus", "--log", path) == nil)
      #expect(said.lines.hasPrefix("The focus is nowhere."))
      #expect(run("tree", "--log", path) == .refused)
      #expect(run("log", "verify", "--log", path) == .noInput)
      #expect(run("log", "cat", "--log", scratch("none")) == .noInput)
    }

    @Test func `a script of a log plays as the log did`() throws {
      let path = try log()
      #expect(run("log", "script", path) == nil)
      let script = try write(said.lines, to: "again")
      said.lines = ""

      #expect(run("simulate", "--heard", "--reader", "none", script) == nil)
      #expect(said.lines == "0.00 s: One\n3.00 s: Two\n")
      #expect(said.complaints == "")
    }

    @Test func `a script that is fine ends with 0, and its last line needs no end`() throws {
      #expect(run("simulate", try write(Self.script, to: "s")) == nil)

      #expect(said.lines.contains(#""text":"Two""#))
      #expect(said.lines.hasSuffix("}\n"))
    }

    @Test func `a script with a line that is refused ends with 65, and goes on to its end`() throws
    {
      #expect(run("simulate", try write("nonsense\n" + Self.script, to: "s")) == .refused)

      #expect(said.lines.contains(#"{"mark":"refused","line":1,"#))
      #expect(said.lines.contains(#""text":"Two""#))
    }

    @Test func `a script that is not there ends with 66`() {
      #expect(run("simulate", scratch("none")) == .noInput)
      #expect(run("simulate", scratch.path) == .noInput)
    }

    @Test func `rules with a mistake end with 78, whoever takes them`() throws {
      let bad = try write("[[rule]]\nnaem = \"x\"\n", to: "bad")
      let script = try write(Self.script, to: "s")

      #expect(run("simulate", "--rules", bad, script) == .configuration)
      #expect(run("simulate", "--rules", scratch("none"), script) == .configuration)
      #expect(run("replay", "--rules", bad, script) == .configuration)
      #expect(run("rules", "try", bad, script) == .configuration)
      #expect(said.lines == "")
    }

    @Test func `rules may be given more than once, and the last one counts`() throws {
      let loud = try write(
        "[[rule]]\nname = \"loud\"\napp = \"signal\"\npresent = \"speech\"\n",
        to: "loud"
      )
      let script = try write(Self.script, to: "s")

      #expect(run("simulate", "--rules", try quiet(), "--rules", loud, script) == nil)
      #expect(said.lines.contains(#""result":"heard""#))
      #expect(!said.lines.contains(#""result":"inhibited""#))
    }

    @Test func `command lines that make no sense end with 64`() throws {
      #expect(run("simulate", "a", "b") == .usage)
      #expect(run("simulate", "--reader", "some", "a") == .usage)
      #expect(run("replay") == .usage)
      #expect(run("replay", "a", "b") == .usage)
      #expect(run("rules", "try") == .usage)
      #expect(run("rules", "try", "a", "b", "c") == .usage)
      #expect(run("rules", "try", "--since", "soon", "a", "b") == .usage)
    }

    // MARK: Replay

    @Test func `a log that follows from itself ends with 0`() throws {
      #expect(run("replay", try log()) == nil)
      #expect(said.lines == "4 decisions were made anew, and came out as on record.\n")
    }

    @Test func `a log that does not ends with 1, and both lines are told`() throws {
      let lines = try String(contentsOfFile: log(), encoding: .utf8)
        .split(separator: "\n").map(String.init)
      let place = try #require(lines.firstIndex { $0.contains(#""result":"heard""#) })
      let seal = try #require(lines[place].range(of: ",\"crc\":"))
      let body = lines[place][..<seal.lowerBound].replacing("heard\"", with: "expired\"")
      let digits = String(Checksum.value(of: body.utf8), radix: 16)
      let other =
        "\(body),\"crc\":\"\(String(repeating: "0", count: 8 - digits.count))\(digits)\"}"
      var changed = lines
      changed[place] = other
      let path = try write(changed.joined(separator: "\n"), to: "changed")

      #expect(run("replay", path) == .found)
      #expect(said.lines.hasPrefix("At entry \(place + 1) "))
      #expect(said.lines.contains(lines[place] + "\n"))
      #expect(said.lines.contains(other + "\n"))
    }

    @Test func `what is no log ends with 66`() throws {
      #expect(run("replay", scratch("none")) == .noInput)
      #expect(run("replay", try write("nonsense\n", to: "x")) == .noInput)
      #expect(run("replay", scratch.path) == .noInput)
    }

    @Test func `with other rules the events that end otherwise are told, with 1`() throws {
      let log = try log()

      #expect(run("replay", "--rules", try write("", to: "none"), log) == nil)
      #expect(said.lines == "")
      #expect(run("replay", "--rules", try quiet(), log) == .found)
      let lines = said.lines.split(separator: "\n")
      #expect(lines.count == 2)
      #expect(
        lines.allSatisfy { $0.hasPrefix(#"{"seq":"#) && $0.contains(#","was":{"result":"heard","#) }
      )
      #expect(lines.allSatisfy { $0.contains(#","now":{"result":"inhibited","#) })
    }

    // MARK: Trials

    @Test func `a trial says how much would not have been heard any more, and what`() throws {
      #expect(run("rules", "try", try quiet(), try log()) == nil)

      let lines = said.lines.split(separator: "\n")
      #expect(lines.first == "This rule would have removed 2 of 2 announcements from signal.")
      #expect(lines.count == 3)
      #expect(
        lines.dropFirst().allSatisfy {
          $0.contains("it would have ended as inhibited, by the rule quiet.")
        }
      )
    }

    @Test func `a trial that changes nothing says so`() throws {
      let other = try write("[[rule]]\nname = \"x\"\napp = \"mail\"\nttl = \"1 s\"\n", to: "x")

      #expect(run("rules", "try", other, try log()) == nil)
      #expect(
        said.lines
          == "This rule would have changed nothing: 2 events would have been heard as before.\n"
      )
    }

    @Test func `a trial tells programs each event and the counts`() throws {
      #expect(run("rules", "try", "--json", try quiet(), try log()) == nil)

      let lines = try said.lines.split(separator: "\n").map { try JSON(String($0)) }
      #expect(lines.count == 3)
      #expect(lines[0]["now"]["rule"].string == "quiet")
      #expect(lines[2]["tallies"][0]["app"].string == "signal")
      #expect(lines[2]["tallies"][0]["removed"].integer == 2)
    }
  }
}
