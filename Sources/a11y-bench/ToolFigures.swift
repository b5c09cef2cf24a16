// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import Glibc

/// `a11yctl`, at work on a day's script.
private struct Control {
  private let path: String

  init(beside subject: Subject) {
    guard case .daemon(let daemon) = subject else { preconditionFailure("it has no peer") }
    path = daemon.lastIndex(of: "/").map { daemon[...$0] + "a11yctl" } ?? "a11yctl"
  }

  func run(
    _ command: String,
    _ file: String,
    home: Home,
    output: String = "/dev/null"
  ) throws
    -> Cost
  {
    try StartedProgram.run([path, command, home.path + file], home: home, output: output)
  }
}

/// A day's script, played in virtual time.
final class Simulated: Measurement {
  private let setting: BenchSetting
  private var home: Home?

  init(_ setting: BenchSetting) { self.setting = setting }

  func measureRound(_ subject: Subject) throws -> [Double?] {
    let lines = setting.size(500_000)
    let home = try self.home ?? setting.home("simulate")
    if self.home == nil { try DayScript.create(lines, to: home.path + "/script") }
    self.home = home
    return try Control(beside: subject).run("simulate", "/script", home: home).rates(of: lines)
  }
}

/// The log of a day's script, decided anew.
final class ReplayedLog: Measurement {
  private let setting: BenchSetting
  private var home: Home?

  init(_ setting: BenchSetting) { self.setting = setting }

  func measureRound(_ subject: Subject) throws -> [Double?] {
    let control = Control(beside: subject)
    let entries = setting.size(1_000_000)
    let home = try self.home ?? recorded(entries, with: control)
    self.home = home
    let cost = try control.run("replay", "/log", home: home)
    return [Double(cost.nanoseconds) / 1e9, cost.microseconds(each: entries)]
  }

  /// Plays a long enough script, and keeps this many of its entries.
  private func recorded(_ entries: Int, with control: Control) throws -> Home {
    let home = try setting.home("replay-log")
    let log = home.path + "/log"
    // A line makes two or three entries, as a rule.
    try DayScript.create(entries * 2 / 3, to: home.path + "/script")
    _ = try control.run("simulate", "/script", home: home, output: log)
    let file = try FileDescriptor.open(log, [.readWrite])
    var missing = entries
    var end = 0
    var piece = [UInt8](repeating: 0, count: 1 << 20)
    while missing > 0 {
      let count = try piece.withUnsafeMutableBytes { try file.read(into: $0) }
      guard count > 0 else { throw BenchFailure("\(log) has \(entries - missing) lines only") }
      for index in 0..<count where missing > 0 {
        end += 1
        if piece[index] == 0x0A { missing -= 1 }
      }
    }
    try file.truncate(to: UInt64(end))
    return home
  }
}

/// The time that posting an event takes of the app that posts it.
///
/// Events come in bursts that the libraries have room for; the daemon has all events of a burst
/// before the next one begins. Only events that are taken count.
struct Posted: Measurement {
  private static let burst = 1_000
  private let setting: BenchSetting

  init(_ setting: BenchSetting) { self.setting = setting }

  func measureRound(_ subject: Subject) throws -> [Double?] {
    let home = try setting.home("post")
    let server = try Server(subject, in: home)
    defer { server.end() }
    return [try measureC(home), try measureSwift(server)]
  }

  /// The figure of the program that `make bench` builds; nil where it was not built.
  private func measureC(_ home: Home) throws -> Double? {
    let program = Peer.built("measure-post")
    guard access(program, X_OK) == 0 else { return nil }
    let output = home.path + "/measure-post"
    let events = "\(setting.size(1_000_000))"
    _ = try StartedProgram.run([program, home.socket, events], home: home, output: output)
    let words = (text(of: output) ?? "").split(separator: " ")
    guard words.count > 1, let time = Double(words[1]) else {
      throw BenchFailure("measure-post has not told a figure")
    }
    return time
  }

  private func measureSwift(_ server: Server) throws -> Double {
    let client = Client(app: "org.example.Flood", path: server.home.socket)
    let event = Event.announcement("Message 42 was sent to Anna", priority: .low).window("main")
    var spent = 0
    let bursts = setting.size(100_000) / Self.burst
    for _ in 0..<bursts {
      let before = try server.last()
      spent += postBurst(event, on: client)
      while try server.last() < before + Self.burst {}
    }
    return Double(spent) / 1e3 / Double(bursts * Self.burst)
  }

  /// Posts a burst, and returns the time that it took.
  ///
  /// The thread of the client may still have answers of the burst before to read; the wait for that
  /// is not the app's.
  private func postBurst(_ event: Event, on client: Client) -> Int {
    var spent = 0
    var taken = 0
    while taken < Self.burst {
      let start = Clock.nanoseconds()
      while taken < Self.burst, client.post(event) { taken += 1 }
      spent += Clock.nanoseconds() - start
      if taken < Self.burst { Clock.sleep(milliseconds: 1) }
    }
    return spent
  }
}
