// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import DBus
import Foundation
import Synchronization
import Testing

/// A program at a real accessibility bus with its real registry, heard into the log of a real
/// daemon.
@Suite(
  .timeLimit(.minutes(hangs)),
  .enabled(if: Bridge.obstacle == nil && Bridge.registryObstacle == nil, "no AT-SPI here")
)
struct AccessibilityEarsTests {
  private static let object = "org.a11y.atspi.Event.Object"
  private static let window = "org.a11y.atspi.Event.Window"
  private static let folder = "/org/a11y/atspi/accessible/"

  /// The bridge, and the address of the accessibility bus that it listens at.
  private static func bridge(_ options: [String] = []) throws -> (Bridge, bus: String) {
    let bridge = try Bridge(["--ears"] + options)
    _ = try bridge.process.line(beginning: "a11y-atspi: hearing apps through AT-SPI")
    return (bridge, try bridge.accessibilityBus().address)
  }

  /// A program whose objects have these roles, attributes and names.
  private static func program(
    on bus: String,
    called name: String = "org.example.Editor",
    roles: [String: UInt32] = [:],
    attributes: [String: String] = [:],
    onQuestion: @escaping @Sendable (String) -> Void = { _ in }
  ) throws -> DesktopProgram {
    try DesktopProgram(on: bus, below: String(folder.dropLast())) { call, _ in
      let id = String(call.path?.dropFirst(folder.count) ?? "")
      onQuestion(call.member ?? "")
      switch call.member {
      case "GetRole": return .values([.uint32(roles[id] ?? 0)])
      case "GetAttributes":
        return .values([.dictionary(attributes.map { .init($0.key, .string($0.value)) })])
      case "Get" where id == "root" && name.isEmpty: return .unknown
      case "Get":
        let numbers = ["CurrentValue": 30.0, "MinimumValue": 0, "MaximumValue": 60]
        let bounds = DBusBounds(stringBytes: 256, values: 8, depth: 2)
        let property = ((try? call.values(bounds))?.last?.text).flatMap { numbers[$0] }
        if let property { return .values([.variant(.double(property))]) }
        return .values([.variant(.string(id == "root" ? name : "Name of \(id)"))])
      default: return .unknown
      }
    }
  }

  private static func values(
    _ detail: String,
    _ first: Int32 = 0,
    _ value: DBusValue = .int32(0)
  ) -> [DBusValue] {
    [.string(detail), .int32(first), .int32(0), .variant(value), .dictionary([])]
  }

  @Test func `an announcement comes with its app, element and origin`() throws {
    let (bridge, bus) = try Self.bridge()
    let program = try Self.program(on: bus)

    let signal = DBusSignal(Self.folder + "4", Self.object, "Announcement")
    program.emit(signal, Self.values("", 2, .string("Saved")))

    let (entry, event) = try bridge.event("announcement")
    #expect(entry["app"] == .string("org.example.Editor"))
    #expect(event["text"] == .string("Saved"))
    #expect(event["priority"] == .string("high"))
    #expect(event["origin"] == .string("atspi"))
    #expect(event["element"] == .string("\(program.name)/4"))
  }

  @Test func `a program without a name goes by its process`() throws {
    let (bridge, bus) = try Self.bridge()
    let program = try Self.program(on: bus, called: "")

    let signal = DBusSignal(Self.folder + "4", Self.object, "Announcement")
    program.emit(signal, Self.values("", 1, .string("Hello")))

    let own = try String(contentsOfFile: "/proc/self/comm", encoding: .utf8)
    let name = own.trimmingCharacters(in: .newlines)
    #expect(try bridge.event("announcement").entry["app"] == .string(name))
  }

  @Test func `the desktop is told that assistive technology runs`() throws {
    let (bridge, _) = try Self.bridge()
    let properties = "org.freedesktop.DBus.Properties"
    let enabled = try bridge.ask(
      "org.a11y.Bus",
      "/org/a11y/bus",
      properties,
      "Get",
      "ss",
      "org.a11y.Status",
      "IsEnabled"
    )
    let reader = try bridge.ask(
      "org.a11y.Bus",
      "/org/a11y/bus",
      properties,
      "Get",
      "ss",
      "org.a11y.Status",
      "ScreenReaderEnabled"
    )

    #expect(enabled == "v b true")
    #expect(reader == "v b false")
  }

  @Test func `a region is asked once, and each change is told`() throws {
    let (bridge, bus) = try Self.bridge()
    let questions = Mutex<[String]>([])
    let program = try Self.program(on: bus, attributes: ["container-live": "polite"]) { question in
      questions.withLock { $0.append(question) }
    }

    let signal = DBusSignal(Self.folder + "5", Self.object, "TextChanged")
    for number in 1...3 {
      program.emit(signal, Self.values("insert", 0, .string("Change \(number)")))
    }

    for number in 1...3 {
      let event = try bridge.event("announcement").event
      #expect(event["text"] == .string("Change \(number)"))
      #expect(event["priority"] == .string("default"))
    }
    #expect(questions.withLock { $0.count { $0 == "GetRole" } } == 1)
  }

  @Test func `a focus that is told twice is one, with its label`() throws {
    let (bridge, bus) = try Self.bridge()
    let program = try Self.program(on: bus, roles: ["6": 43, "7": 79])

    program.emit(
      DBusSignal(Self.folder + "1", Self.window, "Activate"),
      Self.values("", 0, .string("Contacts"))
    )
    func focus(_ id: String) {
      program.emit(
        DBusSignal(Self.folder + id, Self.object, "StateChanged"),
        Self.values("focused", 1)
      )
    }
    for _ in 1...2 { focus("6") }

    let (_, window) = try bridge.event("window")
    #expect(window["title"] == .string("Contacts"))
    #expect(window["state"] == .string("active"))
    let (_, elements) = try bridge.event("elements")
    #expect(elements["upsert"][0]["label"] == .string("Name of 6"))
    // The first focus of a window is that of a screen.
    let (_, screen) = try bridge.event("screen-changed")
    #expect(screen["text"] == .string("Contacts"))
    focus("7")
    let (_, next) = try bridge.event("focus-changed")
    #expect(next["element"] == .string("\(program.name)/7"))
    #expect(next["cause"] == .string("user"))
  }

  @Test func `progress is told in hundredths`() throws {
    let (bridge, bus) = try Self.bridge()
    let program = try Self.program(on: bus, roles: ["8": 42])

    program.emit(
      DBusSignal(Self.folder + "8", Self.object, "PropertyChange"),
      Self.values("accessible-value")
    )

    let (_, event) = try bridge.event("announcement")
    #expect(event["text"] == .string("Name of 8 50 %"))
    #expect(event["class"] == .string("progress"))
  }

  @Test func `a program that leaves takes its connection with it`() throws {
    let (bridge, bus) = try Self.bridge()
    do {
      let program = try Self.program(on: bus)
      let signal = DBusSignal(Self.folder + "4", Self.object, "Announcement")
      program.emit(signal, Self.values("", 1, .string("Bye")))
      _ = try bridge.event("announcement")
    }

    var event = try bridge.event("client").event
    while event["state"] != .string("left") { event = try bridge.event("client").event }
    #expect(event["app"] == .string("org.example.Editor"))
  }

  @Test func `the ears come back when the accessibility bus is started anew`() throws {
    let (bridge, bus) = try Self.bridge()
    let daemon = try bridge.accessibilityBus().daemon

    kill(daemon, SIGKILL)
    let deadline = Deadline.usual
    var fresh = bus
    while fresh == bus {
      try #require(!deadline.isOver, "there is no new accessibility bus")
      fresh = (try? bridge.accessibilityBus().address) ?? bus
    }
    let program = try Self.program(on: fresh)
    // The program says it again until the ears are there.
    let signal = DBusSignal(Self.folder + "4", Self.object, "Announcement")
    var texts: [JSON] = []
    while texts.isEmpty {
      try #require(!deadline.isOver, "nothing is heard")
      program.emit(signal, Self.values("", 1, .string("Back")))
      texts = try bridge.daemon.entries().map { try $0.event()["text"] }.filter(\.isThere)
    }

    #expect(texts.first == .string("Back"))
  }

  @Test func `window and focus are told again when our bus is started anew`() throws {
    let (bridge, bus) = try Self.bridge()
    let program = try Self.program(on: bus, roles: ["6": 43])
    program.emit(
      DBusSignal(Self.folder + "1", Self.window, "Activate"),
      Self.values("", 0, .string("Contacts"))
    )
    let focus = DBusSignal(Self.folder + "6", Self.object, "StateChanged")
    program.emit(focus, Self.values("focused", 1))
    let seq = try #require(bridge.event("screen-changed").entry["seq"].integer)
    // The ears may be back before this test is.
    let cursor = "\(bridge.daemon.ready.epoch):\(seq)"

    bridge.daemon.kill()
    try bridge.daemon.start()
    let log = try bridge.daemon.connect()
    try log.subscribe(#","from":"\#(cursor)""#)
    var types: [JSON] = []
    while types.last != .string("focus-changed") {
      let event = try log.entry().json()["event"]
      if event["origin"] == .string("atspi") { types.append(event["type"]) }
    }

    #expect(types == ["window", "elements", "focus-changed"].map(JSON.string))
  }

  @Test func `a registry that ends is started anew, and told what is heard`() throws {
    let (bridge, bus) = try Self.bridge()
    let registry = "org.a11y.atspi.Registry"
    let path = "/org/a11y/atspi/registry"
    let words = ["--auto-start=no", "call", registry, path, registry, "GetRegisteredEvents"]
    kill(try bridge.accessibilityBus().registry, SIGKILL)

    let deadline = Deadline.usual
    var events = ""
    while !events.contains("Announcement") {
      try #require(!deadline.isOver, "nobody listens at the new registry")
      events = (try? Bridge.busctl(bus, words)) ?? ""
    }
    _ = try bridge.accessibilityBus()
    #expect(events.contains("TextChanged"))
  }

  @Test func `a flood is told by its beginning and its end, and its loss is declared`() throws {
    let (bridge, bus) = try Self.bridge()
    let program = try Self.program(on: bus)

    program.perform { connection in
      for number in 1...10_000 {
        let signal = DBusSignal(Self.folder + "4", Self.object, "Announcement")
        try connection.emit(signal, Self.values("", 1, .string("Change \(number)")))
      }
    }

    var last = try bridge.event("announcement").event["text"]
    while last != .string("Change 10000") { last = try bridge.event("announcement").event["text"] }
    _ = try bridge.process.line(containing: "ears.overrun")
  }

  // MARK: Hostile programs

  /// A list item with the focus, whose window has no end: each object is its own parent and has a
  /// thousand new children, and each number is the largest that there is.
  private static func endlessProgram(on bus: String) throws -> DesktopProgram {
    let count = Mutex(0)
    return try DesktopProgram(on: bus, below: String(folder.dropLast())) { call, connection in
      let own = DBusValue.structure([
        .string(connection.uniqueName ?? ""), .path(call.path ?? "/"),
      ])
      switch call.member {
      case "GetRole": return .values([.uint32(32)])
      case "GetIndexInParent": return .values([.integer(.max)])
      case "GetAttributes":
        let long = String(repeating: "a", count: 60_000)
        return .values([
          .dictionary([
            .init("container-live", .string("polite")),
            .init("placeholder", .string(long)),
          ])
        ])
      case "GetChildren":
        let first = count.withLock { count in
          count += 300
          return count
        }
        let children = (first..<first + 300).map { number in
          DBusValue.structure([
            .string(connection.uniqueName ?? ""), .path("\(folder)\(number)"),
          ])
        }
        return .values([.list("(so)", children)])
      case "Get":
        let bounds = DBusBounds(stringBytes: 256, values: 8, depth: 2)
        switch (try? call.values(bounds))?.last?.text {
        case "Parent": return .values([.variant(own)])
        case "ChildCount", "CurrentValue": return .values([.variant(.integer(.max))])
        default: return .values([.variant(.string(""))])
        }
      case "GetText": return .values([.string(String(repeating: "\u{fffc}", count: 300_000))])
      default: return .values([.double(.nan), .boolean(true), .integer(.min)])
      }
    }
  }

  /// The times, in microseconds, from a program's word to the log, the shortest first.
  private static func delays(
    of program: DesktopProgram,
    _ word: String,
    in bridge: Bridge
  ) throws
    -> [Double]
  {
    try (1...25).map { number in
      let text = "\(word) \(number)"
      let start = ContinuousClock.now
      program.emit(
        DBusSignal(folder + "4", object, "Announcement"),
        values("", 1, .string(text))
      )
      while try bridge.event("announcement").event["text"] != .string(text) {}
      return (ContinuousClock.now - start) / .microseconds(1)
    }.sorted()
  }

  @Test func `a program without an end, with lies and hangs, delays no other`() throws {
    let (bridge, bus) = try Self.bridge(["--tree", "active"])
    let honest = try Self.program(on: bus, attributes: ["container-live": "polite"])
    let quiet = try Self.delays(of: honest, "Quiet", in: bridge)

    let endless = try Self.endlessProgram(on: bus)
    let gate = DispatchSemaphore(value: 0)
    let hanging = try (1...3).map { _ in
      try DesktopProgram(on: bus, below: String(Self.folder.dropLast())) { _, _ in
        gate.wait()
        gate.signal()
        return .unknown
      }
    }
    defer { gate.signal() }
    let long = String(repeating: "a", count: 1_000_000)
    for program in [endless] + hanging {
      let window = DBusSignal(Self.folder + "1", Self.window, "Activate")
      program.emit(window, Self.values("", 0, .string("Endless")))
      for number in 1...100 {
        let path = Self.folder + String(number)
        program.emit(DBusSignal(path, Self.object, "StateChanged"), Self.values("focused", 1))
        let change = DBusSignal(path, Self.object, "TextChanged")
        program.emit(change, Self.values("insert", .max, .string("\u{fffc} one \u{fffc}")))
        if number <= 5 { program.emit(change, Self.values("insert", 0, .string(long))) }
      }
    }
    let busy = try Self.delays(of: honest, "Busy", in: bridge)
    // Its region is asked about while three others do not answer.
    honest.emit(
      DBusSignal(Self.folder + "9", Self.object, "TextChanged"),
      Self.values("insert", 0, .string("Heard"))
    )
    while try bridge.event("announcement").event["text"] != .string("Heard") {}

    print("delays in µs, quiet \(quiet[12]), busy \(busy[12]), least \(quiet[0]) \(busy[0])")
    #expect(busy[6] - quiet[6] < 5_000)
    let memory = try RigProcess.figure("VmHWM", of: bridge.process.number)
    print("memory in KiB \(memory)")
    #expect(memory < 64 * 1_024)
    _ = try bridge.process.line(containing: "malformed")
    _ = try bridge.process.line(containing: "ears.overrun")
    withExtendedLifetime((endless, hanging)) {}
  }
}
