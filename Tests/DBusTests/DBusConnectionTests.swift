// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import DBus
import Foundation
import Systemd
import Testing

/// Two connections to a real daemon, in one loop.
@Suite(.timeLimit(.minutes(hangs)), .enabled(if: DBusDaemon.obstacle == nil, "no dbus-daemon"))
final class DBusConnectionTests {
  private let directory: ScratchDirectory
  private let daemon: DBusDaemon
  private let loop: EventLoop
  private var patience: Systemd.Timer?
  private var kept: [AnyObject] = []

  private static let second: UInt64 = 1_000_000
  private static let ping = DBusMethod("org.example.Peer", "/peer", "org.example", "Ping")

  init() throws {
    directory = try ScratchDirectory()
    daemon = try DBusDaemon(in: directory)
    loop = try EventLoop()
    patience = try Systemd.Timer(on: .monotonic, priority: .high, on: loop) { [unowned self] in
      loop.exit(1)
    }
  }

  private func connect(isMonitor: Bool = false) throws -> DBusConnection {
    try DBusConnection(to: daemon.address, isMonitor: isMonitor, on: loop) {}
  }

  /// Runs the loop until it is told to end; false if that does not come in time.
  private func run() throws -> Bool {
    patience?.arm(afterMicroseconds: 20 * Self.second)
    return try loop.run() == 0
  }

  /// A peer that answers each call with the values of the call, and is there when this returns.
  private func peer(answering answer: @escaping (DBusMessage) -> DBusAnswer) throws {
    let peer = try connect()
    kept.append(peer)
    kept.append(try peer.export(below: "/peer", answer))
    peer.requestName("org.example.Peer")
  }

  /// Asks again until the peer has its name.
  private func ask(
    _ asking: DBusConnection,
    _ values: [DBusValue] = [],
    _ onAnswer: @escaping (DBusMessage) -> Void
  ) {
    asking.call(Self.ping, values, deadlineMicroseconds: 10 * Self.second) { [self] answer in
      if answer.error?.name == "org.freedesktop.DBus.Error.ServiceUnknown" {
        ask(asking, values, onAnswer)
      } else {
        onAnswer(answer)
      }
    }
  }

  @Test func `values of all types come back as they were sent`() throws {
    let values: [DBusValue] = [
      .string("Grüße"), .path("/a/b"), .boolean(true), .byte(7), .int32(-3), .uint32(4),
      .integer(-5), .double(0.5), .structure([.string(":1.2"), .path("/c")]),
      .list("s", [.string("a"), .string("b")]),
      .dictionary([.init("urgency", .variant(.byte(2)))]), .variant(.variant(.string("inner"))),
    ]
    try peer { call in .values((try? call.values()) ?? []) }
    let asking = try connect()
    var answer: [DBusValue]?
    ask(asking, values) { [loop] message in
      answer = try? message.values()
      loop.exit(0)
    }

    #expect(try run())
    #expect(answer == values)
  }

  @Test func `an unknown method is an error in words`() throws {
    try peer { _ in .unknown }
    let asking = try connect()
    var name: String?
    ask(asking) { [loop] message in
      name = message.error?.name
      loop.exit(0)
    }

    #expect(try run())
    #expect(name?.hasPrefix("org.freedesktop.DBus.Error.Unknown") == true)
  }

  @Test func `a peer that does not answer costs the deadline and nothing else`() throws {
    let silent = try connect()
    let swallowing = try silent.filter { $0.kind == .call }
    let asking = try connect()
    var isError = false
    let started = try silent.listen(DBusMatch(member: "Start")) { [loop] _ in
      let method = DBusMethod(silent.uniqueName ?? "", "/peer", "org.example", "Ping")
      asking.call(method, deadlineMicroseconds: 50_000) { message in
        isError = message.kind == .error
        loop.exit(0)
      }
    }
    try asking.emit(DBusSignal("/peer", "org.example", "Start"), [])

    #expect(try run())
    #expect(isError)
    withExtendedLifetime((swallowing, started)) {}
  }

  @Test func `a match lets signals through by their first argument`() throws {
    let listening = try connect()
    let sending = try connect()
    var heard: [String?] = []
    let match = DBusMatch(interface: "org.example", member: "Changed", arguments: [0: "focused"])
    kept.append(
      try listening.listen(match) { message in heard.append((try? message.values())?.first?.text) }
    )
    kept.append(try listening.listen(DBusMatch(member: "Last")) { [loop] _ in loop.exit(0) })
    // The daemon has taken the matches when it has answered.
    listening.call(.daemon("GetId"), deadlineMicroseconds: Self.second) { _ in
      for word in ["showing", "focused", "defunct"] {
        try? sending.emit(DBusSignal("/a", "org.example", "Changed"), [.string(word)])
      }
      try? sending.emit(DBusSignal("/a", "org.example", "Last"), [])
    }

    #expect(try run())
    #expect(heard == ["focused"])
  }

  @Test func `a message over a bound is refused, and says which`() throws {
    let long = String(repeating: "x", count: 101)
    let cases: [([DBusValue], DBusMistake)] = [
      ([.string(long)], .stringTooLong),
      ([.list("s", Array(repeating: .string(""), count: 20))], .tooManyValues),
      ([.variant(.variant(.variant(.variant(.byte(1)))))], .tooDeep),
    ]
    let bounds = DBusBounds(stringBytes: 100, values: 20, depth: 3)
    var found: [DBusMistake?] = []
    try peer { call in
      do throws(DBusMistake) {
        _ = try call.values(bounds)
        found.append(nil)
      } catch {
        found.append(error)
      }
      return .values([])
    }
    let asking = try connect()
    var answers = 0
    for (values, _) in cases {
      ask(asking, values) { [loop] _ in
        answers += 1
        if answers == cases.count { loop.exit(0) }
      }
    }

    #expect(try run())
    #expect(found == cases.map(\.1))
  }

  @Test func `the end of the daemon is told once, and ends the calls`() throws {
    var ends = 0
    var isError = false
    let connection = try DBusConnection(to: daemon.address, on: loop) { [loop] in
      ends += 1
      loop.exit(0)
    }
    connection.call(.daemon("GetId"), deadlineMicroseconds: Self.second) { [daemon] _ in
      connection.call(Self.ping, deadlineMicroseconds: 30 * Self.second) { message in
        isError = message.kind == .error
      }
      daemon.kill()
    }

    #expect(try run())
    #expect(ends == 1)
    #expect(isError)
  }

  @Test(arguments: ["unix:path=/none/there", "nonsense", ""])
  func `an address at which nobody listens is refused`(address: String) {
    #expect(throws: Errno.self) { try DBusConnection(to: address, on: loop) {} }
  }

  @Test func `a monitor hears a call that reaches nobody`() throws {
    let monitor = try connect(isMonitor: true)
    let asking = try connect()
    var heard: String?
    let call = DBusMatch(type: "method_call", interface: "org.example", member: "Ping").rule
    kept.append(
      try monitor.filter { [loop] message in
        guard message.kind == .call, message.member == "Ping" else { return message.kind == .call }
        heard = (try? message.values())?.first?.text
        loop.exit(0)
        return true
      }
    )
    monitor.call(
      .becomeMonitor,
      [.list("s", [.string(call)]), .uint32(0)],
      deadlineMicroseconds: Self.second
    ) { answer in
      #expect(answer.kind == .reply)
      asking.call(Self.ping, [.string("hello")], deadlineMicroseconds: Self.second) { _ in }
    }

    #expect(try run())
    #expect(heard == "hello")
  }

  @Test func `a number of more than 32 bits is none`() {
    for number in [Int64.min, Int64(Int32.min) - 1, Int64(UInt32.max) + 1, .max] {
      #expect(DBusValue.integer(number).number == nil)
      #expect(DBusValue.variant(.integer(number)).real == nil)
    }
    #expect(DBusValue.integer(-1).number == -1)
    #expect(DBusValue.uint32(.max).number == Int64(UInt32.max))
  }
}
