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

  @Test func `a program is heard by its focus, its progress and its alert, without its secrets`()
    throws
  {
    let bridge = try Bridge(["--ears"])
    _ = try bridge.process.line(beginning: "a11y-atspi: hearing apps through AT-SPI")
    let bus = try bridge.accessibilityBus().address
    let file = bridge.daemon.directory("program.py")
    try Data(Self.program.utf8).write(to: URL(filePath: file))

    let variables = [
      "DBUS_SESSION_BUS_ADDRESS=\(bridge.session.address)", "AT_SPI_BUS_ADDRESS=\(bus)",
      "HOME=\(bridge.daemon.directory("home"))", "NO_AT_BRIDGE=0",
      "XDG_RUNTIME_DIR=\(bridge.daemon.directory("run"))",
    ]
    let words = variables + ["/usr/bin/xvfb-run", "-a", "/usr/bin/python3", file]
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
