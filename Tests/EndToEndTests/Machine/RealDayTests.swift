// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yTestKit
import Foundation
import Testing

/// The day of a person at a desk, on a booted machine with the packages, at normal speed.
///
/// `A11Y_DAY_MINUTES` tells how long it is; a day that is shorter than 24 hours has fewer scenes.
/// Three things of a day are played. A machine that sleeps is one whose programs are stopped for
/// some seconds: no clock jumps. Without a network the apps only say so: nothing of a11yd uses one.
/// And mail, browser and terminal are a script.
@Suite(
  .enabled(
    if: ProcessInfo.processInfo.environment["A11Y_DAY_MINUTES"] != nil,
    "make soak has a day at normal speed"
  ),
  .enabled(if: BootedMachine.obstacle == nil, Comment(rawValue: BootedMachine.obstacle ?? "")),
  .enabled(if: SpeechTools.obstacle == nil, Comment(rawValue: SpeechTools.obstacle ?? ""))
)
struct RealDayTests {
  @Test func `a day leaves nothing open, nothing behind, and a machine that rests`() async throws {
    let asked = ProcessInfo.processInfo.environment["A11Y_DAY_MINUTES"]
    let minutes = try #require(asked.flatMap { Int($0) }, "A11Y_DAY_MINUTES is a number")
    let day = try RealDay(PersonsDay(seconds: minutes * 60, Dice()))
    let observer = try day.session.observe()
    try await day.live()
    let log = try observer()
    for seq in day.acknowledged { try day.judge(seq, on: log) }

    print("the day: \(day.acknowledged.count) acknowledged, outcomes \(RealDay.outcomes(log))")
    #expect(log.lines.contains { $0.event["text"] == "The cable is out. Plug it in" })
    #expect(log.lines.count { $0.type == "opened" } == 1, "the upgrade")
    let evening = try day.rest()
    for (unit, morning) in day.morning.sorted(by: { $0.key < $1.key }) {
      let now = try #require(evening[unit])
      print("\(unit): in the morning \(morning), in the evening \(now)")
      #expect(now.descriptors <= morning.descriptors, "\(unit)")
      // The bus fills tables that have bounds: two hours took 2.1 MiB of it, the others 4 KiB.
      #expect(now.memory <= morning.memory + (unit == "a11yd" ? 4_096 : 256), "\(unit)")
    }
    let before = day.wakeUps(evening)
    poll(nil, 0, Int32(RealDay.quietSeconds * 1_000))
    let wakeUps = try day.wakeUps(day.holdings()) - before
    print("\(wakeUps) wake-ups in \(RealDay.quietSeconds) s of quiet")
    // Ten in an hour, for all programs; one alarm may fall into this time.
    #expect(wakeUps <= 2)
  }
}

private final class RealDay {
  /// What a service has: memory of its own in KiB, descriptors, and switches of its threads so far.
  struct Holding: CustomStringConvertible {
    var memory = 0
    var descriptors = 0
    var switches = 0

    var description: String { "\(memory) KiB, \(descriptors) descriptors" }
  }

  let session: SpeakingSession
  private let day: PersonsDay
  private var apps: [String: Client] = [:]
  private(set) var acknowledged: [Int64] = []
  private(set) var morning: [String: Holding] = [:]
  private var upgrade: Process?

  static let quietSeconds = 120
  private static let units = [
    "a11yd", "a11y-speech", "a11y-ears", "a11y-notifications", "a11y-ssip",
  ]
  private static let state = "/var/lib/a11y-tester/.local/state"

  init(_ day: PersonsDay) throws {
    self.day = day
    session = try SpeakingSession()
    // A disk of its own, which can be filled.
    let mount = "mount -t tmpfs -o size=32m,uid=4711,gid=4711,mode=0700 log \(Self.state)"
    try session.machine.run("sh", "-c", "mkdir -p \(Self.state) && \(mount)")
    try session.start(
      "a11y-ears.service",
      "a11y-notifications.service",
      "a11y-ssip.socket",
      "a11y-ssip.service"
    )
  }

  // MARK: The day

  func live() async throws {
    let start = ContinuousClock.now
    for moment in day.moments {
      let wait = start + .microseconds(moment.time) - .now
      poll(nil, 0, Int32(max(0, wait / .milliseconds(1))))
      try await perform(moment.deed)
    }
    #expect(upgrade?.terminationStatus == 0)
    #expect(try session.version().contains("+1~"))
  }

  private func perform(_ deed: PersonsDay.Deed) async throws {
    switch deed {
    case .event(let app, let event): try await publish(event, as: app)
    case .action(let action): try await publish(action, as: "person")
    case .sleep: try sleepAndWake()
    case .wake: if morning.isEmpty { try await beginMorning() }
    case .diskFull: try fillDisk()
    case .diskFree: try session.machine.run("rm", "\(Self.state)/ballast")
    case .upgrade:
      let command = DebianPackages.installation(of: "deb-next")
      upgrade = try session.machine.begin("sh", "-c", command)
    case .networkLost: try notify("The cable is out", "Plug it in")
    case .networkBack: break
    }
  }

  private func publish(_ event: String, as app: String) async throws {
    let client = apps[app] ?? Client(app: app, path: session.socket)
    apps[app] = client
    let key = "\(acknowledged.count)"
    acknowledged.append(try await client.publish(Event(json: event), dedupe: key).seq)
  }

  /// Sees what the programs have when each of them has done something, and somebody reads along.
  private func beginMorning() async throws {
    let log = try SpeechLog(session.socket, from: session.cursor())
    try await publish(#"{"type":"action","action":"next"}"#, as: "person")
    try notify("Good morning", "It is time")
    let heard = try log.wait(for: "the ears") { $0.event["text"] == "Good morning. It is time" }
    _ = try log.outcome(of: heard.seq, within: .seconds(60))
    morning = try withExtendedLifetime(log) { try holdings() }
  }

  /// Stops the programs for a few seconds, which is less than the manager's patience.
  private func sleepAndWake() throws {
    for signal in ["STOP", "CONT"] {
      let units = Self.units.map { "\($0).service" }.joined(separator: " ")
      try session.machine.asTester("sh", "-c", "systemctl --user kill --signal=\(signal) \(units)")
      if signal == "STOP" { poll(nil, 0, 5_000) }
    }
  }

  private func fillDisk() throws {
    let fill = "dd if=/dev/zero of=\(Self.state)/ballast bs=64k 2>/dev/null"
    try session.machine.run("sh", "-c", "\(fill); test -s \(Self.state)/ballast")
  }

  /// Has a program show a notification; nobody is there to show it, and the ears hear it.
  private func notify(_ summary: String, _ body: String) throws {
    let place = "--dest org.freedesktop.Notifications --object-path /org/freedesktop/Notifications"
    let call = "gdbus call --session \(place) --method org.freedesktop.Notifications.Notify"
    let bus = "DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/4711/bus"
    let words = "cables 0 '' '\(summary)' '\(body)' '[]' '{}' 5000"
    try session.machine.asTester("sh", "-c", "\(bus) \(call) \(words) || true")
  }

  // MARK: The report

  /// What was acknowledged is on the log once, and has one outcome, if its type has one.
  func judge(_ seq: Int64, on log: SpeechLog) throws {
    let entry = try log.wait(for: "entry \(seq)", from: seq) { $0.seq == seq }
    guard ["announcement", "screen-changed"].contains(entry.type) else { return }
    _ = try log.outcome(of: seq, within: .seconds(120))
    let count = log.lines.count { $0.type == "outcome" && $0.event["of"] == .integer(seq) }
    #expect(count == 1, "\(entry.text)")
  }

  static func outcomes(_ log: SpeechLog) -> [String] {
    let results = log.lines.filter { $0.type == "outcome" }.compactMap { $0.event["result"].string }
    let counts = Dictionary(results.map { ($0, 1) }, uniquingKeysWith: +)
    return counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
  }

  /// Waits until the programs have nothing to do any more; the apps are still there.
  func rest() throws -> [String: Holding] {
    let deadline = Deadline(after: .seconds(240))
    var (last, now) = (-1, wakeUps(try holdings()))
    while last != now, !deadline.isOver {
      poll(nil, 0, 25_000)
      (last, now) = (now, wakeUps(try holdings()))
    }
    return try holdings()
  }

  func wakeUps(_ holdings: [String: Holding]) -> Int {
    holdings.values.reduce(0) { $0 + $1.switches }
  }

  func holdings() throws -> [String: Holding] {
    var all: [String: Holding] = [:]
    for unit in Self.units {
      let id = try session.machine.property("MainPID", of: "\(unit).service")
      let place = session.machine.path("/proc/\(id)")
      let files = FileManager.default
      var holding = Holding()
      holding.descriptors = try files.contentsOfDirectory(atPath: "\(place)/fd").count
      for thread in try files.contentsOfDirectory(atPath: "\(place)/task") {
        let status = try String(contentsOfFile: "\(place)/task/\(thread)/status", encoding: .utf8)
        for line in status.split(separator: "\n") {
          let number = Int(line.filter(\.isNumber)) ?? 0
          if line.hasPrefix("RssAnon:") { holding.memory = number }
          if line.hasPrefix("voluntary_ctxt_switches:") { holding.switches += number }
        }
      }
      all[unit] = holding
    }
    return all
  }
}
