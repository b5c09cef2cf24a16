// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation
import Testing

/// The real door, between a real bus and a client of speech-dispatcher.
@Suite(.timeLimit(.minutes(hangs))) struct ProgramTests {
  /// A bus, a door, and a place at which speech-dispatcher may be.
  private struct House {
    let daemon: RunningDaemon
    let door: DaemonProcess
    let speech: UnixListener

    var path: String { daemon.directory("ssip.sock") }

    init(hasBus: Bool = true) throws {
      daemon = try RunningDaemon()
      let directory = daemon.directory
      if !hasBus { try daemon.stop() }
      speech = try UnixListener(path: directory("spd.sock"), mode: 0o600)
      door = try DaemonProcess(
        [
          "--socket", daemon.socket, "--listen", "unix_socket:\(directory("ssip.sock"))",
          "--speech-address", "unix_socket:\(directory("spd.sock"))",
        ],
        of: DaemonProcess.built("a11y-ssip"),
        environment: try RunningDaemon.home(in: directory)
      )
      _ = try door.line { $0.contains(hasBus ? "speak through the bus" : "waiting for the bus") }
    }

    /// The next connection to speech-dispatcher.
    func called() throws -> Peer {
      _ = try speech.descriptor.waitReady(for: .readable, timeoutMilliseconds: 20_000)
      guard case .connection(let descriptor) = speech.accept() else {
        throw Missing("a connection to speech-dispatcher")
      }
      return Peer(descriptor)
    }
  }

  /// One end of a conversation in lines.
  private final class Peer {
    private let socket: FileDescriptor
    private var bytes: [UInt8] = []

    init(_ socket: consuming FileDescriptor) { self.socket = socket }

    convenience init(_ path: String) throws { self.init(try UnixStream.connect(path: path)) }

    func say(_ lines: String...) {
      _ = socket.send(Array(lines.map { $0 + "\r\n" }.joined().utf8).span)
    }

    func line() throws -> String {
      let deadline = Deadline.usual
      while true {
        if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
          defer { bytes.removeFirst(end + 1) }
          return String(decoding: bytes[..<end].filter { $0 != 13 }, as: UTF8.self)
        }
        _ = try socket.waitReady(
          for: .readable,
          timeoutMilliseconds: deadline.millisecondsLeft
        )
        var room = [UInt8](repeating: 0, count: 4_096)
        guard case .bytes(let count) = room.withUnsafeMutableBytes({ socket.receive(into: $0) })
        else { throw Missing("a line") }
        bytes += room[..<count]
      }
    }

    /// The lines up to one that begins like this.
    func lines(to beginning: String) throws -> [String] {
      var lines: [String] = []
      repeat { lines.append(try line()) } while !lines[lines.count - 1].hasPrefix(beginning)
      return lines
    }
  }

  @Test func `a message is delivered, and its end comes back`() throws {
    let house = try House()
    let reader = try house.daemon.connect()
    try reader.send(#"{"id":1,"op":"hello","app":"reader","role":"reader"}"#)
    _ = try reader.answer()
    try reader.send(#"{"id":2,"op":"subscribe","filter":{"types":["deliver"]}}"#)
    while try reader.answer()["id"].integer != 2 {}

    let client = try Peer(house.path)
    client.say("SET SELF CLIENT_NAME root:tea:main", "SET SELF NOTIFICATION ALL ON")
    client.say("SPEAK", "Tea is ready", ".")
    #expect(
      try client.lines(to: "225 ") == [
        "208 OK CLIENT NAME SET", "220 OK NOTIFICATION SET", "230 OK RECEIVING DATA", "225-1",
        "225 OK MESSAGE QUEUED",
      ]
    )
    var delivery = JSON.absent
    while !delivery["seq"].isThere { delivery = try reader.answer() }
    #expect(delivery["event"]["speak"][0]["text"].string == "Tea is ready")
    #expect(delivery["event"]["app"].string == "tea")
    let seq = try #require(delivery["seq"].integer)
    for state in ["started", "finished"] {
      try reader.send(
        #"{"op":"publish","event":{"type":"speech","of":\#(seq),"state":"\#(state)"}}"#
      )
    }
    #expect(
      try client.lines(to: "702 ") == ["701-1", "701-1", "701 BEGIN", "702-1", "702-1", "702 END"]
    )
  }

  @Test func `without a bus speech-dispatcher speaks, and with one again it does not`() throws {
    let house = try House(hasBus: false)
    let client = try Peer(house.path)
    client.say("SET SELF CLIENT_NAME root:tea:main", "CHAR a")
    #expect(try client.lines(to: "225 ").last == "225 OK MESSAGE QUEUED")
    let server = try house.called()
    while try server.line() != "CHAR a" { server.say("200 OK") }
    server.say("225-7", "225 OK MESSAGE QUEUED")

    try house.daemon.start()
    _ = try house.door.line { $0.contains("speak through the bus") }
    let listener = try house.daemon.connect()
    try listener.send(#"{"id":1,"op":"subscribe","filter":{"types":["announcement"]}}"#)
    while try listener.answer()["id"].integer != 1 {}
    client.say("CHAR b")
    var entry = JSON.absent
    while !entry["seq"].isThere { entry = try listener.answer() }
    #expect(entry["event"]["text"][0]["text"].string == "b")
    #expect(entry["app"].string == "tea")
  }

  @Test func `a door that finds its place taken says so`() throws {
    let house = try House()
    let second = try DaemonProcess(
      ["--listen", "unix_socket:\(house.path)", "--socket", house.daemon.socket],
      of: DaemonProcess.built("a11y-ssip"),
      environment: try RunningDaemon.home(in: house.daemon.directory)
    )
    #expect(try second.end() == .exited(73))
  }
}
