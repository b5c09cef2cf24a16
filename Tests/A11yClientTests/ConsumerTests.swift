// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import Testing

/// An app that imports nothing of ours but the client.
///
/// It need not run: when the public face leaks a type of another module, it no longer compiles.
struct ConsumerTests {
  @Test func `an app needs nothing but the client`() {
    let client = Client(app: "org.example.Shop")
    let entries = client.entries(from: .now, filter: EntryFilter(types: ["announcement"]))

    #expect(entries.cursor == nil)
  }

  /// The lines of the page for developers; `DocumentTests` looks that they are the same.
  private func page(_ model: inout FocusModel) async throws(ClientError) {
    // The page begins here.
    let bus = Client(app: "org.example.Contacts")
    bus.post(.window("main", .active, title: "Contacts"))
    let save = AppElement("save", label: "Save", traits: [.button])
    bus.post(.elements(window: "main", upsert: [save]))
    bus.post(.announcement("Item was added"))
    for await gesture in bus.gestures where gesture.element == "save" {
      bus.post(.announcement("Saved").cause(gesture.cause))
      gesture.handled()
    }
    let receipt = try await bus.publish(.announcement("Item was added"), ack: .synced)
    let connection = try BusConnection()
    try connection.hello(app: "org.example.Contacts")
    try connection.publish(.announcement("Item was added"))
    for try await item in bus.entries(from: .start) { model.apply(item) }
    // The page ends here.
    print(receipt.seq)
  }

  private func blocking() throws(ClientError) {
    let bus = try BusConnection(path: BusPath.standard)
    let info: ServerInfo = try bus.hello(app: "org.example.Shop")
    let receipt = try bus.publish(
      .announcement("Item was added", priority: .high).window("cart").cause(.user),
      ack: .written,
      dedupe: "item-1",
      timeout: .seconds(1)
    )
    try bus.subscribe(SubscriptionRequest(from: .cursor(info.cursor), mode: .latest))
    guard case .entry(let entry) = try bus.next(timeout: .seconds(1)) else { return }
    print(entry.seq == receipt.seq, entry.text ?? "", entry.event["priority"]?.string ?? "")
  }

  private func following(_ client: Client) async throws(ClientError) {
    var model = FocusModel()
    for try await item in client.entries(from: .now, state: true) {
      model.apply(item)
      guard let focus: FocusModel.Focus = model.focus else { continue }
      let windows: [FocusModel.Window] = model.windows
      let element: SeenElement? = model.element(focus.element, of: focus.window, app: focus.app)
      print(windows.first?.title ?? "", element?.label ?? "", element?.traits ?? [], focus.seq)
      let all = model.elements(of: focus.window, app: focus.app)
      print(all.filter { $0.isStop && !$0.isHidden }.map(\.level))
    }
  }

  private func asynchronous(_ stored: LogCursor) async throws(ClientError) {
    let client = Client(app: "org.example.Shop", role: .reader)
    try await client.publish(.window("cart", .active, title: "Cart"))
    let entries = client.entries(from: .cursor(stored))
    for try await item in entries {
      switch item {
      case .entry(let entry): print(entry.type, entry.app, entry.cursor)
      case .mark(.caughtUp(let cursor)): print(cursor.description)
      case .mark(.gap(let from, let to, let reason)): print(from, to, reason)
      case .mark: break
      }
    }
  }
}
