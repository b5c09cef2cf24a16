// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// A disk that takes nothing for a while: a real one, behind the real daemon.
@Suite(.timeLimit(.minutes(hangs)))
struct StorageTests {
  let daemon: RunningDaemon

  init() throws { daemon = try RunningDaemon() }

  private func announcement(_ text: String) -> String {
    #"{"type":"announcement","text":"\#(text)"}"#
  }

  /// The text of every announcement in the files of the log, each once: of a line that was cut, and
  /// of those before it in the same turn, there is another in the next file.
  private var stored: [String] {
    get throws {
      var texts: [Int64: String] = [:]
      for line in try daemon.linesOnDisk() where line.hasPrefix("{\"seq\":") {
        guard let entry = try? JSON(line), let seq = entry["seq"].integer else { continue }
        texts[seq] = entry["event"]["text"].string
      }
      return texts.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  @Test func `while no file may grow, events are delivered, and later they are in the log`() throws
  {
    let client = try daemon.connect()
    let subscriber = try daemon.connect()
    try subscriber.subscribe()
    _ = try subscriber.entriesUntilCaughtUp()
    try client.publishAccepted(announcement("before"))
    #expect(try subscriber.entry().event()["state"] == "joined")
    #expect(try subscriber.entry().event()["text"] == "before")

    try daemon.limitFiles(to: 0)
    for number in 1...20 {
      let answer = try client.publish(announcement("\(number)"))
      #expect(answer["ok"]["durability"] == "received")
      #expect(try subscriber.entry().event()["text"].string == "\(number)")
    }
    let refused = try client.publish(announcement("no"), with: #","ack":"synced""#)
    #expect(refused["err"]["code"] == "storage.degraded")
    let greeting = try daemon.connect().hello("late")
    #expect(greeting["durability"]["degraded"] == true)
    #expect(try stored == ["before"])
    // A new subscriber gets the entries from memory.
    #expect(try daemon.entries().compactMap { try $0.event()["text"].string }.count == 21)
    _ = try daemon.process.line(containing: "The log cannot be written: File too large (EFBIG)")

    try daemon.limitFiles(to: nil)
    let begin = ContinuousClock.now
    try daemon.waitUntilWritten()
    #expect(ContinuousClock.now - begin < .seconds(5))

    _ = try daemon.process.line(containing: "The log can be written again")
    #expect(try stored == ["before"] + (1...20).map { "\($0)" })
    let answer = try client.publish(announcement("after"), with: #","ack":"synced""#)
    #expect(answer["ok"]["durability"] == "synced")
    let epoch = daemon.ready.epoch
    #expect(try daemon.stop() == .exited(0))
    try daemon.start()
    #expect(daemon.ready.epoch == epoch)
    let texts = try daemon.entries().compactMap { try $0.event()["text"].string }
    #expect(texts == ["before"] + (1...20).map { "\($0)" } + ["after"])
  }

  @Test func `where a file may only be short, the log goes on in many`() throws {
    let client = try daemon.connect()
    for number in 1...40 { try client.publishAccepted(announcement("\(number)")) }
    try daemon.limitFiles(to: 4_096)
    for number in 41...150 {
      let answer = try client.publish(announcement("\(number)"))
      #expect(answer["ok"]["durability"] == "written")
    }

    #expect(try daemon.segments().count > 3)
    #expect(try stored == (1...150).map { "\($0)" })
    daemon.kill()
    try daemon.start()
    let texts = try daemon.entries().compactMap { try $0.event()["text"].string }
    #expect(texts == (1...150).map { "\($0)" })
  }

  @Test(arguments: [true, false])
  func `what left and was never on disk is no number of the same epoch again`(isKilled: Bool) throws
  {
    let client = try daemon.connect()
    let before = try client.publishAccepted(announcement("before"))
    let epoch = daemon.ready.epoch
    try daemon.limitFiles(to: 0)
    let seq = try client.publishAccepted(announcement("heard and lost"))
    let cursor = "\(epoch):\(seq)"
    if isKilled { daemon.kill() } else { #expect(try daemon.stop() == .exited(0)) }

    try daemon.start()

    #expect(daemon.ready.epoch != epoch)
    #expect(try stored == ["before"])
    let entries = try daemon.entries()
    #expect(entries.map(\.seq) == Array(1...entries[entries.count - 1].seq))
    #expect(try entries.dropLast().last?.event()["recovery"]["new_epoch"] == true)
    // A subscriber that has heard more than the log holds is told so.
    let answer = try daemon.connect().ask(#"{"id":1,"op":"subscribe","from":"\#(cursor)"}"#)
    #expect(answer["err"]["code"] == "cursor.future")
    #expect(answer["err"]["last"].integer == before)
  }

  @Test func `what is written is on the medium within the time that hello tells`() throws {
    let client = try daemon.connect()
    let window = try #require(client.hello("app")["durability"]["loss_window_ms"].integer)
    let seq = try client.publishAccepted(announcement("on its way"))
    let begin = ContinuousClock.now

    let deadline = Deadline.usual
    var synced: Int64 = 0
    while synced < seq, !deadline.isOver {
      synced = try client.ask(#"{"id":1,"op":"stats"}"#)["ok"]["log"]["synced"].integer ?? 0
    }

    #expect(synced >= seq)
    // A busy machine may add its own.
    #expect(ContinuousClock.now - begin < .milliseconds(window * 2))
  }

  @Test(.enabled(if: getuid() == 0, "mounting needs root"))
  func `a disk that is full, or only to be read, stops nobody`() throws {
    let disk = try SmallDisk(below: daemon.directory)
    let arguments = [
      "--socket", daemon.directory("second.sock"), "--state", disk.path + "/state",
      "--config", daemon.directory("a11yd.toml"),
    ]
    let home = try RunningDaemon.home(in: daemon.directory)
    func start() throws -> DaemonProcess {
      let process = try DaemonProcess(arguments, environment: home)
      _ = try process.line(beginning: "a11yd: ready ")
      return process
    }
    let socket = daemon.directory("second.sock")
    let process = try start()
    let client = try RawClient(socket)
    let text = String(repeating: "x", count: 4_000)
    var isFull = false
    for _ in 0..<200 where !isFull {
      isFull = try client.publish(announcement(text))["ok"]["durability"] == "received"
    }
    #expect(isFull)
    _ = try process.line(containing: "(ENOSPC)")
    process.kill()

    // It begins where there is no room either, and where nothing can be written at all.
    for isReadOnly in [false, true] {
      if isReadOnly { try disk.remount("ro") }
      let process = try start()
      let answer = try RawClient(socket).publish(announcement("on"))
      #expect(answer["ok"]["durability"] == "received")
      process.send(SIGTERM)
      #expect(try process.end() == .exited(0))
    }
    try disk.remount("rw,size=8m")
    let last = try start()
    #expect(try RawClient(socket).publish(announcement("on"))["ok"]["durability"] == "written")
    last.send(SIGTERM)
    #expect(try last.end() == .exited(0))
  }
}

/// A file system with little room, for as long as this object lives.
private final class SmallDisk {
  let path: String

  init(below directory: ScratchDirectory) throws {
    path = directory("disk")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    _ = try Command("/bin/mount", ["-t", "tmpfs", "-o", "size=256k,mode=0700", "tmpfs", path])
      .output()
  }

  deinit { _ = try? Command("/bin/umount", ["-l", path]).output() }

  func remount(_ options: String) throws {
    _ = try Command("/bin/mount", ["-o", "remount," + options, path]).output()
  }
}

extension RunningDaemon {
  /// Lets no file of the daemon's be longer than this; nil takes the bound away.
  func limitFiles(to bytes: UInt?) throws {
    let limit = bytes.map(String.init) ?? "unlimited"
    _ = try Command("/usr/bin/prlimit", ["--pid", "\(process.number)", "--fsize=\(limit):"])
      .output()
  }

  /// Asks until the daemon is back from its trouble.
  fileprivate func waitUntilWritten() throws {
    let client = try connect()
    let deadline = Deadline.usual
    while deadline.millisecondsLeft > 0 {
      let answer = try client.ask(#"{"id":1,"op":"stats"}"#)
      if answer["ok"]["log"]["degraded"] == false { return }
    }
    throw Missing("the end of the trouble")
  }
}
