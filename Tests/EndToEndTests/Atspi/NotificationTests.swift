// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import DBus
import Foundation
import Synchronization
import Testing

/// Notifications of a real session's bus, in the log of a real daemon.
@Suite(
  .timeLimit(.minutes(hangs)),
  .enabled(if: Bridge.obstacle == nil, "dbus is not installed")
)
struct NotificationTests {
  private static let interface = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"
  private static let hearing = "a11y-atspi: hearing the desktop's notifications"

  private static func bridge(settings: String = "") throws -> Bridge {
    let bridge = try Bridge(["--notifications"], settings: settings)
    _ = try bridge.process.line(beginning: hearing)
    return bridge
  }

  /// A server that shows nothing and gives ids.
  private static func server(on bridge: Bridge) throws -> DesktopProgram {
    let last = Mutex<UInt32>(100)
    return try DesktopProgram(on: bridge.session.address, called: interface) { call, connection in
      let values = (try? call.values()) ?? []
      switch call.member {
      case "Notify":
        let replaced = values[1].number.map { UInt32(clamping: $0) } ?? 0
        let id = last.withLock { last in
          last += 1
          return replaced == 0 ? last : replaced
        }
        return .values([.uint32(id)])
      case "CloseNotification":
        let closed = DBusSignal(path, interface, "NotificationClosed")
        try? connection.emit(closed, [values[0], .uint32(3)])
        return .values([])
      case "GetServerInformation":
        return .values([.string("none"), .string("none"), .string("1"), .string("1.2")])
      case "GetCapabilities": return .values([.list("s", [])])
      default: return .unknown
      }
    }
  }

  private static func app(on bridge: Bridge) throws -> DesktopProgram {
    try DesktopProgram(on: bridge.session.address) { _, _ in .unknown }
  }

  /// Has a program notify, and then do something with the id, if there is one.
  private static func notify(
    _ app: DesktopProgram,
    _ summary: String,
    body: String = "",
    replaces: UInt32 = 0,
    urgency: UInt8? = nil,
    _ onID: @escaping @Sendable (DBusConnection, UInt32) -> Void = { _, _ in }
  ) {
    app.perform { connection in
      let hints = urgency.map { [DBusValue.Entry("urgency", .variant(.byte($0)))] } ?? []
      let values: [DBusValue] = [
        .string("Mail"), .uint32(replaces), .string(""), .string(summary), .string(body),
        .list("s", []), .dictionary(hints), .int32(-1),
      ]
      let method = DBusMethod(interface, path, interface, "Notify")
      connection.call(method, values, deadlineMicroseconds: 20_000_000) { [unowned connection] in
        if let id = (try? $0.values())?.first?.number {
          onID(connection, UInt32(clamping: id))
        }
      }
    }
  }

  @Test func `without a server a notification is heard, with its app and urgency`() throws {
    let bridge = try Self.bridge()
    let app = try Self.app(on: bridge)

    Self.notify(app, "New mail", body: "From <b>Ada</b> &amp; Bob", urgency: 2)

    let (entry, event) = try bridge.event("announcement")
    #expect(entry["app"] == .string("Mail"))
    #expect(event["text"] == .string("New mail. From Ada & Bob"))
    #expect(event["priority"] == .string("high"))
    #expect(event["origin"] == .string("notification"))
  }

  @Test func `a replacement keeps its key, and a closed one is withdrawn`() throws {
    let bridge = try Self.bridge()
    let server = try Self.server(on: bridge)
    let app = try Self.app(on: bridge)

    Self.notify(app, "Copying") { [unowned app] _, id in
      Self.notify(app, "Copied", replaces: id) { connection, id in
        let method = DBusMethod(Self.interface, Self.path, Self.interface, "CloseNotification")
        connection.call(method, [.uint32(id)], deadlineMicroseconds: 20_000_000) { _ in }
      }
    }

    let (_, first) = try bridge.event("announcement")
    let (entry, second) = try bridge.event("announcement")
    #expect(first["key"].isThere)
    #expect(second["key"] == first["key"])
    #expect(second["text"] == .string("Copied"))
    #expect(try bridge.event("cancel").event["of"] == entry["seq"])
    withExtendedLifetime(server) {}
  }

  @Test func `notifications wait while the session is locked`() throws {
    let bridge = try Self.bridge()
    let app = try Self.app(on: bridge)
    let (login, session) = ("org.freedesktop.login1", "/org/freedesktop/login1/session/one")
    let logind = try DesktopProgram(on: bridge.session.address, called: login) { call, _ in
      switch call.member {
      case "GetSession": .values([.path(session)])
      case "Get": .values([.variant(.boolean(true))])
      default: .unknown
      }
    }
    _ = try bridge.process.line(containing: "keeping the desktop's notifications")

    Self.notify(app, "Meanwhile")
    // The bridge has heard it when it has heard the malformed one behind it.
    app.perform { connection in
      let method = DBusMethod(Self.interface, Self.path, Self.interface, "Notify")
      connection.call(method, [.string("Mail")], deadlineMicroseconds: 20_000_000) { _ in }
    }
    _ = try bridge.process.line(containing: "malformed message")
    let before = try bridge.daemon.entries().filter { try $0.event()["text"].isThere }
    logind.emit(
      DBusSignal(session, "org.freedesktop.DBus.Properties", "PropertiesChanged"),
      [
        .string("\(login).Session"),
        .dictionary([.init("LockedHint", .variant(.boolean(false)))]), .list("s", []),
      ]
    )

    #expect(before == [])
    #expect(try bridge.event("announcement").event["text"] == .string("Meanwhile"))
  }

  @Test func `notify-send is heard`() throws {
    let program = "/usr/bin/notify-send"
    guard FileManager.default.isExecutableFile(atPath: program) else {
      try Test.cancel("notify-send is not installed")
    }
    let bridge = try Self.bridge()
    let server = try Self.server(on: bridge)

    let environment = "DBUS_SESSION_BUS_ADDRESS=\(bridge.session.address)"
    _ = try Command("/usr/bin/env", [environment, program, "-u", "low", "Ready", "To go"]).output()

    let (entry, event) = try bridge.event("announcement")
    #expect(entry["app"] == .string("notify-send"))
    #expect(event["text"] == .string("Ready. To go"))
    #expect(event["priority"] == .string("low"))
    withExtendedLifetime(server) {}
  }

  @Test func `apps that are left alone are not heard`() throws {
    let bridge = try Self.bridge(settings: "[notifications]\nleave_alone = [\"Mail\"]\n")
    let app = try Self.app(on: bridge)

    Self.notify(app, "Silent")
    app.perform { connection in
      let values: [DBusValue] = [
        .string("Other"), .uint32(0), .string(""), .string("Heard"), .string(""), .list("s", []),
        .dictionary([]), .int32(-1),
      ]
      let method = DBusMethod(Self.interface, Self.path, Self.interface, "Notify")
      connection.call(method, values, deadlineMicroseconds: 20_000_000) { _ in }
    }

    #expect(try bridge.event("announcement").event["text"] == .string("Heard"))
  }

  @Test func `a malformed message is counted and dropped`() throws {
    let bridge = try Self.bridge()
    let app = try Self.app(on: bridge)

    app.perform { connection in
      let method = DBusMethod(Self.interface, Self.path, Self.interface, "Notify")
      connection.call(method, [.string("Mail")], deadlineMicroseconds: 20_000_000) { _ in }
    }
    Self.notify(app, "Heard")

    #expect(try bridge.event("announcement").event["text"] == .string("Heard"))
    _ = try bridge.process.line(containing: "1 malformed message")
  }

  @Test func `the bridge comes back to a bus that was away`() throws {
    let bridge = try Self.bridge()
    let app = try Self.app(on: bridge)
    Self.notify(app, "Before")
    _ = try bridge.event("announcement")

    try bridge.daemon.stop()
    _ = try bridge.process.line(containing: "waiting for the bus at")
    Self.notify(app, "Meanwhile")
    try bridge.daemon.start()

    let again = try bridge.daemon.connect()
    try again.subscribe(#","from":"start","filter":{"types":["announcement"]}"#)
    #expect(try again.entry().event()["text"] == .string("Before"))
    #expect(try again.entry().event()["text"] == .string("Meanwhile"))
  }

  @Test func `the bridge ends at once when it is told to, with or without a session`() throws {
    let bridge = try Self.bridge()
    bridge.session.kill()
    _ = try bridge.process.line(containing: "waiting for the session's message bus")

    bridge.process.send(SIGTERM)

    #expect(try bridge.process.end() == .exited(0))
  }
}
