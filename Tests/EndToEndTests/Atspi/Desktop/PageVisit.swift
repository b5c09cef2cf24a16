// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation

/// The log of a visit of the page in a real browser, with a user at the keys.
struct PageVisit: Sendable {
  let lines: [String]
  let events: [JSON]

  var announcements: [JSON] { events.filter { $0["type"] == .string("announcement") } }
  var texts: [String] { announcements.compactMap { $0["text"].string } }

  func announcement(_ text: String) -> JSON {
    announcements.first { $0["text"] == .string(text) } ?? .absent
  }

  /// The labels of the elements to which the focus went.
  var moves: [String] {
    var labels: [String: String] = [:]
    for element in events.map({ $0["upsert"][0] }) {
      if let id = element["id"].string, let label = element["label"].string { labels[id] = label }
    }
    let moves = events.filter { $0["type"] == .string("focus-changed") }
    return moves.map { labels[$0["element"].string ?? ""] ?? "" }
  }

  /// Visits the page.
  init(with browser: Browser) throws {
    let rig = try DesktopRig()
    let process = try rig.show(browser)
    try rig.waitForEvent("screen-changed") { $0["text"] == .string("Contacts") }
    try rig.screen.activate("Contacts")
    try rig.screen.press("space")
    try rig.waitForText("Your turn")
    try rig.screen.press("space")
    try rig.waitForText("Contacts saved")
    try rig.screen.press("Tab")
    try rig.waitForFocus("Other")
    try rig.screen.press("Tab")
    try rig.waitForFocus("Colour")
    try rig.screen.press("Down")
    try rig.waitForEvent("elements") { $0["upsert"][0]["value"] == .string("Blue") }
    try rig.screen.press("shift+Tab")
    try rig.waitForFocus("Other")
    try rig.screen.press("shift+Tab")
    try rig.waitForFocus("Save")
    try rig.screen.press("shift+Tab")
    try rig.waitForFocus("Password")
    try rig.screen.write(Self.secret)
    try rig.screen.press("Tab")
    try rig.waitForFocus("Save")
    // A field that gets the focus again has its text by now.
    try rig.screen.press("shift+Tab")
    try rig.waitForFocus("Password")
    try rig.end(process, of: browser.app)
    let entries = try rig.bridge.daemon.entries()
    lines = entries.map(\.line)
    events = try entries.map { try $0.event() }
  }

  /// The text that the user types into the password field.
  static let secret = "hunter2"

  private static let chromium = Result { try PageVisit(with: .chromium) }
  private static let firefox = Result { try PageVisit(with: .firefox) }

  /// The one visit with this browser at which all tests look.
  static func with(_ browser: Browser) throws -> PageVisit {
    try browser == .chromium ? chromium.get() : firefox.get()
  }
}
