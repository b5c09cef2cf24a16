// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// A machine whose forwarder reaches the engine over links of its own.
final class FleetMachine: ForwardedLog {
  let name: String
  let daemon: RunningDaemon
  let links: [EngineLink]
  private let engine: any FleetEngine
  private(set) var forwarder: DaemonProcess
  /// The present life of its log.
  private var life = LogLife()
  /// The lives that ended with the files of the log.
  private var formerLives: [LogLife] = []

  /// Segments so small that many go, and a bound that none reaches but by `dropOldest`.
  private static let config = "[log]\nsegment_bytes = 65536\nretain_bytes = \"1 GiB\"\n"
  private static let meanConfig = "[log]\nsegment_bytes = 65536\nretain_bytes = 262144\n"

  init(_ name: String, _ engine: any FleetEngine) throws {
    self.name = name
    self.engine = engine
    daemon = try RunningDaemon(config: Self.config)
    links = try engine.makeLinks()
    let settings = "[forward]\nsend = \"all\"\n\(engine.settings)"
    try Self.write(settings, to: daemon.directory("forward.toml"))
    forwarder = try Self.start(name, daemon, engine.address(over: links))
  }

  private static func start(
    _ name: String,
    _ daemon: RunningDaemon,
    _ address: String
  ) throws -> DaemonProcess {
    try DaemonProcess(
      [
        "--socket", daemon.socket, "--to", address, "--machine", name, "--config",
        daemon.directory("forward.toml"),
      ],
      of: SpeechTools.built("a11y-forward"),
      environment: RunningDaemon.home(in: daemon.directory)
    )
  }

  private static func write(_ text: String, to file: String) throws {
    try Data(text.utf8).write(to: URL(filePath: file))
  }

  // MARK: Faults

  func restartForwarder() throws {
    forwarder.kill()
    forwarder = try Self.start(name, daemon, engine.address(over: links))
  }

  func cutLinks() { for link in links { link.cut() } }

  func mendLinks() { for link in links { link.mend() } }

  func restartBus() throws {
    daemon.kill()
    try daemon.start()
  }

  /// Begins a new epoch: an unclean end with entries that a full disk has not taken.
  func beginEpoch() throws {
    let before = daemon.ready.epoch
    try daemon.limitFiles(to: 0)
    try announce(20, as: "org.lost")
    try restartBus()
    try #require(daemon.ready.epoch != before)
  }

  /// Has retention take all but the newest entries.
  func dropOldest() throws {
    life.keep(try logged())
    try #require(daemon.stop() == .exited(0))
    try Self.write(Self.meanConfig, to: daemon.directory("a11yd.toml"))
    try daemon.start()
    let first = try daemon.segments().first
    try waitUntil("retention") { try daemon.segments().first != first }
    life.keep(try logged())
    try #require(daemon.stop() == .exited(0))
    try Self.write(Self.config, to: daemon.directory("a11yd.toml"))
    try daemon.start()
  }

  func forget(_ app: String) throws {
    _ = try daemon.connect().ask(#"{"id":1,"op":"forget","apps":["\#(app)"]}"#)
  }

  /// Begins a new life: the files of the log are gone.
  func beginLife() throws {
    daemon.kill()
    life.keep(try logged())
    life.isOver = true
    formerLives.append(life)
    try FileManager.default.removeItem(atPath: daemon.state)
    try daemon.start()
    life = LogLife()
  }

  // MARK: The engine

  /// The difference between what the machine's log has had and what the engine has; nil where there
  /// is none.
  func difference(_ stored: [EngineServer.Stored]) throws -> String? {
    var present = life
    present.keep(try printed())
    let lives = formerLives + [present]
    for life in lives {
      let epochs = life.epochs
      if let words = life.difference(stored.filter { epochs.contains($0.epoch) }) { return words }
    }
    let known = lives.reduce(into: Set<String>()) { $0.formUnion($1.epochs) }
    return stored.first { !known.contains($0.epoch) }.map { "a strange epoch, \($0.epoch)" }
  }

  /// The entries of the log as `a11yctl` prints them.
  private func printed() throws -> [String] {
    let words = ["log", "cat", "--json", "--log", daemon.state]
    return try Command(SpeechTools.built("a11yctl"), words).output().split(separator: "\n")
      .map(String.init).filter(isEntry)
  }

  private func newestLogged() throws -> String? {
    for segment in try daemon.segments().reversed() {
      let text = try String(contentsOfFile: "\(daemon.state)/\(segment)", encoding: .utf8)
      if let line = text.split(separator: "\n").map(String.init).last(where: isEntry) {
        return line
      }
    }
    return nil
  }

  /// Waits until the engine has the log.
  func expectWhole(_ words: Comment, within patience: Duration) throws {
    let deadline = Deadline(after: patience)
    var last: String?
    repeat {
      do {
        // The whole is read where its end is there.
        let newest = try engine.newest(name)
        last = newest == (try newestLogged()) ? nil : "the newest is \(newest ?? "not there")"
        if last == nil { last = try difference(engine.stored(name)) }
      } catch {
        last = "\(error)"
      }
      if last != nil { poll(nil, 0, 200) }
    } while last != nil && !deadline.isOver
    #expect(last == nil, "\(words), \(name): \(forwarder.said.suffix(600))")
  }
}
