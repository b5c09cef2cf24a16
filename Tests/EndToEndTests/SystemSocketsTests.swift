// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yTestKit
import A11yWire
import Foundation
import Testing

@testable import a11yctl

/// `a11yctl` on a machine whose bus has a socket for each role, with no option to say which.
///
/// Serialised, because getopt(3) keeps its place in variables of the process.
@Suite(.serialized, .timeLimit(.minutes(hangs)))
struct SystemSocketsTests {
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  /// The sockets in the scratch directory, and no others.
  private var sockets: Sockets { Sockets(in: { _ in nil }, directory: scratch.path) }

  /// The words on an output.
  private func said(
    _ body: (Output) throws -> Void
  ) throws -> (lines: String, complaints: String) {
    var lines = ""
    var complaints = ""
    let output = Output(
      to: { bytes in
        lines += String(decoding: bytes, as: UTF8.self)
        return .written
      },
      complaining: { complaints += $0 }
    )
    try body(output)
    try output.flush()
    return (lines, complaints)
  }

  private func say(_ words: String...) throws -> (lines: String, complaints: String) {
    try said { try Main.run(words, $0, sockets) }
  }

  /// The whole log as `tail` shows it, without watching the standard output, which is the tests'.
  private func tail() throws -> (lines: String, complaints: String) {
    let tail = try TailCommand(["--from", "start", "--until-caught-up"], sockets)
    return try said { try tail.follow(Backoff(), interrupt: nil, $0) }
  }

  private func failure(_ words: [String]) -> Failure? {
    #expect(throws: Failure.self) {
      try Main.run(words, Output(to: { _ in .written }, complaining: { _ in }), sockets)
    }
  }

  @Test func `every command finds the socket that is for it`() throws {
    let daemon = try HandedDaemon(["publish", "read", "control"], in: scratch)

    #expect(try say("announce", "Hello").lines.hasSuffix("\n"))
    #expect(try say("post", "--type", "do-not-disturb", "--field", "level=0").lines.count > 1)
    #expect(try say("post", "--type", "voiceover-status", "--field", "running=true").lines != "")
    #expect(try say("post", "--type", "action", "--field", #"action="next""#).lines != "")
    #expect(try say("stats").lines.contains("The bus is a11yd/"))
    #expect(try say("rules", "show").lines.contains("Announcements"))
    #expect(try say("ping").lines.hasPrefix("The bus answered"))
    #expect(try say("describe").lines.hasPrefix("{"))
    #expect(try say("reload").lines.hasPrefix("Configuration and rules were read again"))
    #expect(try say("explain", "4").lines.contains("Hello"))
    #expect(try say("quiet", "on").lines.hasPrefix("It is quiet until you say "))
    #expect(try say("quiet", "off").lines.hasPrefix("It is not quiet"))
    #expect(
      try say("reader").lines == "The screen reader counts as on, but none that speaks is "
        + "connected.\n"
    )
    #expect(try say("stop").lines == "")
    #expect(try say("again").lines == "")
    #expect(try say("history").lines == "Nothing was spoken yet.\n")
    #expect(try say("missed").lines.hasPrefix("Since "))
    let tail = try tail()
    #expect(tail.lines.contains("Hello"))
    #expect(tail.complaints == "")
    let forgotten = try say(
      "log",
      "forget",
      "--uid",
      "\(getuid())",
      "--yes",
      "--log",
      scratch("state")
    )
    #expect(forgotten.lines.hasSuffix("forgotten.\n"))
    withExtendedLifetime(daemon) {}
  }

  @Test(arguments: [
    (["reload"], "reload", ["control"]), (["stats"], "stats", ["control", "read"]),
    (["quiet", "on"], "quiet", ["control"]), (["quiet"], "quiet", ["control", "read"]),
    (["again"], "again", ["control"]), (["missed"], "missed", ["control", "read"]),
    (["listen"], "listen", ["read"]), (["inspect"], "inspect", ["control"]),
    (["post", "--type", "action"], "post", ["control"]),
  ])
  func `where no socket is for it, the refusal says which would do`(
    words: [String],
    command: String,
    roles: [String]
  ) throws {
    let daemon = try HandedDaemon(["publish"], in: scratch)
    let paths = roles.map { scratch("\($0).sock") }.joined(separator: " or ")

    let unnamed = failure(words)
    let named = failure(words + ["--socket", daemon.path("publish")])

    #expect(unnamed?.code == .unreachable)
    #expect(unnamed?.words?.hasPrefix("\(command) needs \(paths), which") == true)
    #expect(named?.code == .refused)
    #expect(
      named?.words
        == "\(command) is not for the publish socket, \(daemon.path("publish")); \(paths) would do."
    )
  }

  @Test func `the bus's own refusal names the sockets that would do`() throws {
    let daemon = try HandedDaemon(["publish"], in: scratch)
    let link = scratch("elsewhere")
    try FileManager.default.linkItem(atPath: daemon.path("publish"), toPath: link)

    let failure = failure(["stats", "--socket", link])

    #expect(
      failure?.words?.contains("not for the publish socket, but for control and read") == true
    )
  }

  @Test func `on the publish socket, tail says that it shows one's own entries`() throws {
    let daemon = try HandedDaemon(["publish"], in: scratch)
    let other = try daemon.connect("publish")
    _ = try other.hello("other")
    try other.publishAccepted(#"{"type":"announcement","text":"Not for you"}"#)
    _ = try say("announce", "For me")

    let tail = try tail()

    #expect(tail.lines.contains("For me"))
    #expect(!tail.lines.contains("Not for you"))
    #expect(tail.complaints.contains("only your own entries"))
  }

  @Test func `a link to a role's socket counts as that`() throws {
    let daemon = try HandedDaemon(["publish"], in: scratch)
    try FileManager.default.createSymbolicLink(
      atPath: scratch("bus.sock"),
      withDestinationPath: daemon.path("publish")
    )

    #expect(
      failure(["stats", "--socket", scratch("bus.sock")])?.words?
        .hasPrefix("stats is not for the publish socket") == true
    )
  }

  @Test func `the user's own bus goes first, and without one the system's is asked`() throws {
    let own = scratch("run")
    let sockets = Sockets(
      in: { $0 == "XDG_RUNTIME_DIR" ? own : nil },
      directory: scratch.path
    )
    func path() throws -> String {
      try sockets.choose(for: .operation(.stats), of: "stats", option: nil).path
    }

    #expect(try path() == own + "/a11yd/bus.sock")
    let daemon = try HandedDaemon(["read"], in: scratch)
    #expect(try path() == daemon.path("read"))
    try FileManager.default.createDirectory(
      atPath: own + "/a11yd",
      withIntermediateDirectories: true
    )
    let listener = try UnixListener(path: own + "/a11yd/bus.sock", mode: 0o600)
    #expect(try path() == own + "/a11yd/bus.sock")
    _ = consume listener
  }
}
