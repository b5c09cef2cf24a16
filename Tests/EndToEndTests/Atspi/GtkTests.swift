// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// A real GTK program on a screen of its own, heard without its knowledge.
@Suite(
  .timeLimit(.minutes(hangs)),
  .enabled(
    if: Bridge.obstacle == nil && Bridge.registryObstacle == nil && Bridge.gtkObstacle == nil,
    "no GTK program can be shown here"
  )
)
struct GtkTests {
  /// A window whose controls are used one after the other; it closes at the end.
  private static let program = """
    import gi
    gi.require_version('Gtk', '3.0')
    from gi.repository import Gtk, GLib
    window, box = Gtk.Window(title='Contacts'), Gtk.Box(orientation=1)
    name, secret = Gtk.Entry(), Gtk.Entry(visibility=False)
    save, bar = Gtk.Button(label='Save'), Gtk.ProgressBar()
    for control in (name, secret, save, bar): box.add(control)
    window.add(box)
    window.show_all()
    def alert():
        dialog = Gtk.MessageDialog(transient_for=window, text='The disk is full.')
        dialog.show_all()
    steps = iter([
        lambda: None, lambda: None,
        # Without a window manager the window takes the keyboard itself.
        lambda: window.get_window().focus(0), lambda: save.grab_focus(),
        lambda: secret.grab_focus(), lambda: secret.set_text('hunter2'),
        lambda: bar.set_fraction(0.5), alert, lambda: None, lambda: None,
    ])
    def step():
        for deed in steps:
            deed()
            return True
        Gtk.main_quit()
    GLib.timeout_add(200, step)
    Gtk.main()
    """

  /// Words for `env` that show a program at the accessibility bus of the bridge.
  private static func words(for program: String, in bridge: Bridge) throws -> [String] {
    _ = try bridge.process.line(beginning: "a11y-atspi: hearing apps through AT-SPI")
    let bus = try bridge.accessibilityBus().address
    let file = bridge.daemon.directory("program.py")
    try Data(program.utf8).write(to: URL(filePath: file))
    let variables = [
      "PATH=/usr/bin:/bin",
      "DBUS_SESSION_BUS_ADDRESS=\(bridge.session.address)", "AT_SPI_BUS_ADDRESS=\(bus)",
      "HOME=\(bridge.daemon.directory("home"))", "NO_AT_BRIDGE=0",
      "XDG_RUNTIME_DIR=\(bridge.daemon.directory("run"))",
    ]
    return variables + ["/usr/bin/xvfb-run", "-a", "/usr/bin/python3", file]
  }

  /// A window with a button that ends the program, and a field for a secret.
  private static let buttons = """
    import gi
    gi.require_version('Gtk', '3.0')
    from gi.repository import Gtk, GLib
    window, box = Gtk.Window(title='Contacts'), Gtk.Box(orientation=1)
    secret = Gtk.Entry(visibility=False, text='hunter2')
    volume = Gtk.HScale.new_with_range(0, 9, 1)
    end, gone = Gtk.Button(label='End'), Gtk.Button(label='Gone')
    volume.get_accessible().set_name('Volume')
    volume.connect('value-changed', lambda _: box.remove(gone))
    end.connect('clicked', lambda _: Gtk.main_quit())
    for control in (secret, volume, gone, end): box.add(control)
    window.add(box)
    window.show_all()
    GLib.timeout_add(400, lambda: window.get_window().focus(0))
    GLib.timeout_add_seconds(60, Gtk.main_quit)
    Gtk.main()
    """

  @Test func `the elements of a window are mirrored, and its gestures are carried out`() throws {
    let bridge = try Bridge(["--ears", "--tree", "active"])
    let program = try DaemonProcess(
      Self.words(for: Self.buttons, in: bridge),
      of: "/usr/bin/env"
    )

    var event = try bridge.event("elements").event
    while !event["replace"].isThere { event = try bridge.event("elements").event }
    let elements = try #require(event["replace"].list)
    let volume = try #require(elements.first { $0["label"] == .string("Volume") })
    let end = try #require(elements.first { $0["label"] == .string("End") })
    let gone = try #require(elements.first { $0["label"] == .string("Gone") })
    #expect(volume["value"] == .string("0"))
    #expect(volume["traits"] == ["adjustable"])
    #expect(end["parent"] == volume["parent"])
    #expect(end["frame"].list?.count == 4)
    #expect(!"\(elements)".contains("hunter2"))

    let user = try bridge.daemon.connect()
    _ = try user.hello("seat")
    func act(_ action: String, _ element: JSON) throws {
      let words = [("app", "program.py"), ("window", event["window"].string ?? "")]
        .map { #""\#($0.0)":"\#($0.1)""# }.joined(separator: ",")
      let id = element["id"].string ?? ""
      _ = try user.publishAccepted(
        #"{"type":"action","action":"\#(action)","element":"\#(id)",\#(words)}"#
      )
    }
    try act("increment", volume)
    #expect(try bridge.event("handled").event["handled"] == .bool(true))
    var removed = try bridge.event("elements").event
    while !removed["remove"].isThere { removed = try bridge.event("elements").event }
    #expect(removed["remove"][0] == gone["id"])
    try act("activate", end)
    #expect(try bridge.event("outcome").event["of"].isThere)
    _ = try program.end()
  }

  @Test func `a program is heard by its focus, its progress and its alert, without its secrets`()
    throws
  {
    let bridge = try Bridge(["--ears"])
    let words = try Self.words(for: Self.program, in: bridge)
    _ = try Command("/usr/bin/env", words).output()
    var client = try bridge.event("client").event
    while client["state"] != .string("left") { client = try bridge.event("client").event }

    let entries = try bridge.daemon.entries()
    let events = try entries.map { try $0.event() }
    let texts = events.filter { $0["type"] == .string("announcement") }.map { $0["text"] }
    let moves = events.filter { $0["type"] == .string("focus-changed") }.map { $0["element"] }
    let labels = events.filter { $0["type"] == .string("elements") }.map {
      $0["upsert"][0]["label"]
    }
    #expect(texts == [.string("50 %"), .string("Information. The disk is full.")])
    #expect(labels.contains(.string("Save")))
    #expect(moves.count >= 2)
    #expect(zip(moves, moves.dropFirst()).allSatisfy { $0 != $1 })
    #expect(!entries.contains { $0.line.contains("hunter2") })
  }
}
