// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A machine of our own: a real systemd as process 1 of namespaces.
///
/// `tools/boot-systemd` does the work and keeps the machine until its standard input ends, which is
/// when this process does, whatever way it goes. Tests share machines, since one takes seconds to
/// boot.
final class BootedMachine: Sendable {
  /// The machine with this build installed.
  static let shared = Result {
    let machine = try BootedMachine(with: programs.path)
    try machine.asTester("systemctl", "--user", "start", "a11yd.socket")
    return machine
  }.mapError(BootFailure.init)

  /// The machine without a11yd, for packages.
  static let bare = Result { try BootedMachine(with: "--bare") }.mapError(BootFailure.init)

  /// Another one, which nobody else has.
  static func ownBare() throws -> BootedMachine { try BootedMachine(with: "--bare") }

  /// The machine with this build and the sockets of a machine, for people who log in.
  ///
  /// It has no virtual terminals, so that the login manager itself brings sessions to the front.
  static let forPeople = Result {
    let machine = try BootedMachine(with: programs.path)
    try machine.run("useradd", "--system", "-G", "a11y-readers", "greeter")
    try machine.run("useradd", "--system", "battery")
    for name in ["ann", "bob", "cleo"] {
      try machine.run("useradd", "-m", "-d", "/var/lib/\(name)", "-G", "a11y-readers", name)
    }
    for name in ["publish", "read", "control"] {
      try machine.run("systemctl", "start", "a11yd-\(name).socket")
    }
    return machine
  }

  /// Why there can be no such machine here; nil where there can.
  static let obstacle: String? = {
    guard geteuid() == 0 else { return "booting a systemd of our own needs root" }
    let attempt = ["--mount", "--pid", "--fork", "--ipc", "--uts", "--cgroup", "true"]
    guard (try? Command("/usr/bin/unshare", attempt).run())?.status == 0 else {
      return "this machine allows no namespaces"
    }
    return nil
  }()

  /// The tester's number; `tools/boot-systemd` makes the user.
  static let tester = 4711

  /// Process 1, as we see it from outside.
  let process: Int32
  private let guardian: Process

  private init(with programs: String) throws {
    let (input, output) = (Pipe(), Pipe())
    guardian = Process()
    guardian.executableURL = Self.package.appending(path: "tools/boot-systemd")
    guardian.arguments = [programs]
    guardian.standardInput = input
    guardian.standardOutput = output
    try guardian.run()
    // Only we hold the other end, so that it closes with us.
    try input.fileHandleForReading.close()
    Self.keepOpen(input)

    let lines = Lines(output.fileHandleForReading)
    let first = try #require(lines.next(), "tools/boot-systemd said nothing")
    process = try #require(Int32(first.dropFirst("pid ".count)), "\(first)")
    let second = lines.next()
    guard second == "booted" else {
      throw BootFailure(words: ([second ?? ""] + lines).joined(separator: "\n"))
    }
    try run("systemctl", "is-system-running", "--wait")
    try run("loginctl", "enable-linger", "a11y-tester")
    try run("systemctl", "start", "user@\(Self.tester).service")
  }

  /// Why a machine is not there.
  ///
  /// An expectation that has failed is recorded once, for the test that came first; as an error of
  /// its own each test has it that wants the machine.
  struct BootFailure: Error, CustomStringConvertible {
    let description: String

    init(_ error: any Error) { description = "\(error)" }

    fileprivate init(words: String) { description = words }
  }

  private static func keepOpen(_ pipe: Pipe) { _ = Unmanaged.passRetained(pipe) }

  /// Where the tests were built, and the programs with them.
  private static var programs: URL {
    URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
  }

  /// The directory of the sources.
  static var package: URL {
    URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
  }
}

extension BootedMachine {
  /// Runs a command in the machine as root and returns what it printed; it must succeed.
  @discardableResult
  func run(_ words: String...) throws -> String { try command(words).output() }

  /// Runs a command in the machine as the tester, in his session.
  @discardableResult
  func asTester(_ words: String...) throws -> String { try testersCommand(words).output() }

  /// Starts a command as root that goes on while we do something else.
  func begin(_ words: String...) throws -> Process { try command(words).begin() }

  /// Starts a command as the tester that goes on while we do something else.
  func begin(asTester words: String...) throws -> Process { try testersCommand(words).begin() }

  /// A property of a unit of the tester, such as “MainPID”.
  func property(_ name: String, of unit: String = "a11yd.service") throws -> String {
    try asTester("systemctl", "--user", "show", "--value", "--property", name, unit)
  }

  /// The first entry of the journal that there is, or will be, with these fields.
  func entry(_ matches: String...) throws -> [String: String] {
    let follow = ["journalctl", "--follow", "--lines=all", "--output=json"] + matches
    let (process, lines) = try command(follow).beginReading()
    defer { process.terminate() }
    let line = try #require(lines.next(), "no entry with \(matches.joined(separator: " "))")
    let fields = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    return (fields ?? [:]).compactMapValues { $0 as? String }
  }

  /// A path in the machine as we can open it from outside; no symbolic link may be on the way.
  func path(_ inside: String) -> String { "/proc/\(process)/root\(inside)" }

  /// The socket of the tester's service.
  var testersSocket: String { path("/run/user/\(Self.tester)/a11yd/bus.sock") }

  /// Nothing in the machine takes a minute; a command that hangs must not hang the tests.
  private func command(_ words: [String]) -> Command {
    let enter = ["60", "nsenter", "-t", "\(process)", "-m", "-p", "-i", "-u", "-C"]
    return Command("/usr/bin/timeout", enter + words)
  }

  /// A command that a user runs, in his session if he has one.
  func command(as user: String, _ words: [String]) throws -> Command {
    let uid = try run("id", "-u", user)
    let person = ["setpriv", "--reuid=\(user)", "--regid=\(user)", "--init-groups"]
    let session = ["env", "HOME=/var/lib/\(user)", "XDG_RUNTIME_DIR=/run/user/\(uid)"]
    return command(person + session + words)
  }

  func testersCommand(_ words: [String]) -> Command {
    let tester = ["setpriv", "--reuid=\(Self.tester)", "--regid=\(Self.tester)", "--clear-groups"]
    let session = ["env", "HOME=/var/lib/a11y-tester", "XDG_RUNTIME_DIR=/run/user/\(Self.tester)"]
    return command(tester + session + words)
  }
}
