// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

@testable import A11yClient
import A11yTestKit
import Foundation
import Testing

/// The client library against the real daemon, whatever becomes of it.
@Suite(.timeLimit(.minutes(hangs)))
struct ClientTests {
  private func client(_ daemon: RunningDaemon, _ app: String = "contacts") -> Client {
    Client(
      app: app,
      role: nil,
      path: daemon.socket,
      backoff: Backoff(first: .milliseconds(10), longest: .milliseconds(50))
    )
  }

  /// Shows two windows, of which the first is active, with all that an element can say.
  private func show(_ client: Client) async throws {
    let fields = AppElement(
      "name",
      label: "Name",
      value: "Ada",
      traits: [.textField],
      parent: "form"
    )
    .frame(x: 1, y: 2, width: 3, height: 4).with("lang", "en").with("actions", ["Clear"])
    try await client.publish(
      .elements(
        window: "main",
        replace: [
          AppElement("ok", label: "OK", traits: [.button], parent: "form"),
          AppElement("form", label: "New contact"), fields,
          AppElement("first", label: "First", parent: "form").with("index", 0),
          AppElement("gone", label: "Gone", parent: "form"),
        ]
      )
    )
    try await client.publish(.elements(window: "main", remove: ["gone"]))
    try await client.publish(
      .elements(window: "main", upsert: [AppElement("pin", label: "My dog", parent: "form")])
        .sensitive()
    )
    try await client.publish(.window("main", .opened, title: "Contacts"))
    try await client.publish(.window("other", .inactive, title: "Help", modal: false))
    try await client.publish(.window("closed", .opened))
    try await client.publish(.window("closed", .closed))
    try await client.publish(.window("main", .active))
  }

  /// The daemon's knowledge of windows, with all elements.
  private func picture(_ daemon: RunningDaemon) throws -> (state: [JSON], elements: [[String?]]) {
    let looker = try daemon.connect()
    let state = try #require(try looker.ask(#"{"id":1,"op":"state"}"#)["ok"]["windows"].list)
    let bus = try BusConnection(path: daemon.socket)
    try bus.subscribe(SubscriptionRequest(from: .start))
    var model = FocusModel()
    while let item = try bus.next(timeout: .seconds(10)) {
      model.apply(item)
      if case .mark(.caughtUp) = item { break }
    }
    let elements = model.elements(of: "main", app: "contacts").map { element in
      let frame = element.frame.map { "\($0)" }
      let traits = element.traits.map(\.rawValue).joined()
      return [
        element.id, element.label, element.value, element.redacted, "\(element.level)", frame,
        traits,
      ]
    }
    return (state, elements)
  }

  /// Waits until the daemon knows of as many windows as this, without asking more often than it
  /// tells.
  private func wait(_ daemon: RunningDaemon, forActive window: String) throws {
    let bus = try BusConnection(path: daemon.socket)
    try bus.subscribe(
      SubscriptionRequest(from: .start, filter: EntryFilter(types: ["window"], windows: [window]))
    )
    while let item = try bus.next(timeout: .seconds(60 * hangs)) {
      if case .entry(let entry) = item, entry.string("state") == "active" { return }
    }
    Issue.record("\(window) was not told again")
  }

  @Test func `an empty log is told of all that the app has shown`() async throws {
    let daemon = try RunningDaemon()
    let client = client(daemon)
    try await show(client)
    let before = try picture(daemon)
    try #require(before.elements.count == 5)

    try daemon.stop()
    try FileManager.default.removeItem(atPath: daemon.state)
    try daemon.start()
    try wait(daemon, forActive: "main")

    let after = try picture(daemon)
    #expect(after.state == before.state)
    #expect(after.elements == before.elements)
    let lines = try daemon.linesOnDisk().joined()
    #expect(!lines.contains("My dog"))
    #expect(client.takeComplaints() == [])
  }

  @Test func `a restart in time is told nothing again`() async throws {
    let daemon = try RunningDaemon()
    let client = client(daemon)
    try await show(client)
    let before = try picture(daemon)

    try daemon.stop()
    try daemon.start()
    try await client.publish(.announcement("Back"))

    let after = try picture(daemon)
    #expect(after.state == before.state)
    #expect(after.elements == before.elements)
    let types = try daemon.entries().map { try $0.event()["type"].string }
    #expect(types.count { $0 == "window" } == 5)
  }

  @Test func `what is posted while there is no bus is there when it comes`() async throws {
    let daemon = try RunningDaemon()
    try daemon.stop()
    let client = client(daemon)
    #expect(client.post(.window("main", .opened, title: "One")))
    #expect(client.post(.elements(window: "main", upsert: [AppElement("a", label: "A")])))
    #expect(client.post(.elements(window: "main", upsert: [AppElement("b", label: "B")])))
    #expect(client.post(.elements(window: "main", remove: ["a"])))
    #expect(client.post(.announcement("Hello")))
    #expect(client.post(.window("main", .active)))

    try daemon.start()

    #expect(await client.flush(timeout: .seconds(60 * hangs)))
    let picture = try picture(daemon)
    #expect(picture.state.count == 1)
    #expect(picture.state.first?["title"] == "One")
    #expect(picture.elements.map { $0[0] } == ["b"])
    #expect(try daemon.entries().contains { try $0.event()["text"] == "Hello" })
    #expect(client.takeComplaints() == [])
  }

  @Test func `a window that closes while the bus is away is closed when it is back`() async throws {
    let daemon = try RunningDaemon()
    let client = client(daemon)
    try await show(client)
    try daemon.stop()
    // Sent while the connection still seemed good, it goes again; else it is told from what is
    // known.
    client.post(.window("other", .closed))
    try daemon.start()

    #expect(await client.flush(timeout: .seconds(60 * hangs)))
    #expect(try picture(daemon).state.map { $0["window"].string } == ["main"])
  }

  @Test func `gestures come, are answered, and go on behind a restart`() async throws {
    let daemon = try RunningDaemon()
    let client = client(daemon)
    try await show(client)
    let loop = Task {
      var names: [String] = []
      for await gesture in client.gestures {
        names.append("\(gesture.name) \(gesture.element ?? "")")
        gesture.handled()
      }
      return names
    }

    #expect(try await isHandled(.action("activate", element: "ok"), daemon))
    try daemon.stop()
    try daemon.start()
    #expect(try await isHandled(.action("magic-tap"), daemon))

    // An answer that comes too late has the gesture come again, so the loop ends here, not there.
    loop.cancel()
    let names = await loop.value
    #expect(names.first == "activate ok")
    #expect(names.last?.hasPrefix("magic-tap") == true)
  }

  /// Does something again until the app is there to do it; false where it never is.
  private func isHandled(_ action: Event, _ daemon: RunningDaemon) async throws -> Bool {
    let bus = try BusConnection(path: daemon.socket)
    try bus.subscribe(SubscriptionRequest(filter: EntryFilter(types: ["outcome"])))
    let end = ContinuousClock().now + .seconds(60 * hangs)
    while ContinuousClock().now < end {
      let seq = try bus.publish(action).seq
      while let item = try bus.next(timeout: .seconds(5)) {
        guard case .entry(let entry) = item, let outcome = entry.outcome, outcome.of == seq else {
          continue
        }
        if outcome.result == "handled" { return true }
        break
      }
      // The app may wait for this very thread.
      await Task.yield()
    }
    return false
  }

  @Test func `without a bus a post never waits, and beyond the bound it is not taken`() {
    let client = Client(app: "a", path: "/nowhere/bus.sock")
    let clock = ContinuousClock()

    let start = clock.now
    let taken = (0..<Client.postedEvents + 10).count { _ in client.post(.announcement("a")) }

    #expect(taken == Client.postedEvents)
    #expect(clock.now - start < .seconds(2))
  }

  @Test func `a refusal of what was posted is among the complaints`() async throws {
    let daemon = try RunningDaemon()
    let client = client(daemon)

    client.post(.announcement(""))
    client.post(.layoutChanged(window: "w").with("colour", "red"))
    #expect(await client.flush())

    let complaints = client.takeComplaints()
    #expect(complaints.count == 2)
    guard case .refused(let refusal) = complaints.first else {
      Issue.record("\(complaints)")
      return
    }
    #expect(refusal.field == "event.text")
    #expect(complaints.last == .unknownFields(["event.colour"]))
    #expect(client.takeComplaints() == [])
  }

  @Test func `a cursor of another log begins that log, and says so`() async throws {
    let daemon = try RunningDaemon()
    try daemon.connect().publishAccepted(#"{"type":"announcement","text":"a"}"#)
    let stale = try #require(LogCursor("00000000000000000000000000000001:7"))
    let entries = client(daemon).entries(from: .cursor(stale))

    var items: [SubscriptionItem] = []
    for try await item in entries {
      items.append(item)
      if case .mark(.caughtUp) = item { break }
    }

    #expect(items.first == .mark(.anotherLog(epoch: daemon.ready.epoch)))
    #expect(items.dropFirst().first?.cursor?.seq == 1)
    #expect(items.last?.cursor?.epoch == daemon.ready.epoch)
  }

  @Test func `a cursor beyond the end goes back to it, and says so`() async throws {
    let daemon = try RunningDaemon()
    let last = try daemon.connect().last()
    let beyond = try #require(LogCursor("\(daemon.ready.epoch):\(last + 100)"))

    for try await item in client(daemon).entries(from: .cursor(beyond)) {
      // The client's own greeting is on record by now.
      #expect(item == .mark(.withdrawn(from: last + 2, to: last + 100)))
      break
    }
  }

  @Test func `a loop goes on when the log is taken away under it`() async throws {
    let daemon = try RunningDaemon()
    let entries = client(daemon).entries(from: .now)
    var marks: [SubscriptionMark] = []
    var isRestarted = false
    for try await item in entries {
      switch item {
      case .mark(.caughtUp):
        if isRestarted {
          #expect(marks.contains(.anotherLog(epoch: daemon.ready.epoch)))
          return
        }
        isRestarted = true
        try daemon.stop()
        try FileManager.default.removeItem(atPath: daemon.state)
        try daemon.start()
      case .mark(let mark): marks.append(mark)
      case .entry: break
      }
    }
  }
}
