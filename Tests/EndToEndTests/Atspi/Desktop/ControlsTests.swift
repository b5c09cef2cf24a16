// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

extension DesktopTests {
  /// Controls, a dialog, and regions of one page in real browsers, with a user at the keys.
  @Suite(.enabled(if: Desktop.excuse(Browser.obstacle) == nil, "\(Browser.obstacle ?? "")"))
  struct ControlsTests {
    @Test(arguments: Browser.allCases)
    func `controls, a dialog and messages are told as they are, each once`(browser: Browser) throws
    {
      let rig = try DesktopRig()
      let process = try rig.show(browser, page: "controls.html")
      try rig.waitForEvent("screen-changed") { $0["text"] == .string("Controls") }
      try rig.screen.activate("Controls")
      try rig.screen.press("space")
      try rig.waitForEvent("announcement") {
        $0["text"].string?.hasSuffix("The end.") == true
      }
      for label in ["Phone", "Wi-Fi"] {
        try rig.screen.press("Tab")
        try rig.waitForFocus(label)
      }
      try rig.screen.press("space")
      try rig.waitForChange("checked", true)
      // Browsers lose their connection over a wrong question for a number without bounds.
      for label in ["Warmth", "Copies", "Jouer"] {
        try rig.screen.press("Tab")
        try rig.waitForFocus(label)
      }
      try rig.screen.press("space")
      try rig.waitForChange("label", "Pause")
      try rig.screen.press("Tab")
      try rig.waitForFocus("Ask")
      try rig.screen.press("space")
      try rig.waitForFocus("Name")
      try rig.screen.press("Tab")
      try rig.waitForFocus("Close")
      try rig.screen.press("space")
      try rig.waitForFocus("Ask")
      try rig.waitForText("Renamed")
      try rig.end(process, of: browser.app)

      let events = try rig.bridge.daemon.entries().map { try $0.event() }
      Self.checkElements(events.flatMap { $0["upsert"].list ?? [] })
      Self.checkMessages(events.filter { $0["type"] == .string("announcement") })
    }

    private static func checkElements(_ elements: [JSON]) {
      func element(_ label: String) -> JSON {
        elements.first { $0["label"] == .string(label) } ?? .absent
      }
      #expect(element("Phone")["role"] == "text-field")
      #expect(element("Phone")["invalid"] == true)
      #expect(element("Phone")["hint"] == "Digits only")
      #expect(element("Wi-Fi")["role"] == "switch")
      #expect(element("Wi-Fi")["checked"] == false)
      #expect(element("Warmth")["value"] == "21 degrees")
      #expect(element("Copies")["role"] == "spin-button")
      #expect(element("Copies")["value"] == "1")
      #expect(element("Jouer")["lang"] == "fr")
      let dialog = element("Rename file")
      #expect(dialog["role"] == "dialog")
      #expect(dialog["hint"] == "Choose another name.")
      #expect(element("Name")["parent"] == dialog["id"])
    }

    private static func checkMessages(_ announcements: [JSON]) {
      let counts = announcements.filter { $0["text"].string?.hasPrefix("Count") == true }
      #expect(counts.last?["text"] == "Count 3")
      #expect(counts.allSatisfy { $0["mode"] == "latest" && $0["key"] == $0["element"] })
      #expect(announcements.allSatisfy { $0["queue"] == true })
      let told = announcements.filter { $0["class"] == "chat" }.compactMap { $0["text"].string }
      #expect(told.joined(separator: " ") == "Once upon a time. There was a king. The end.")
      // The page that comes back behind the dialog tells nothing again.
      #expect(Set(counts.map { $0["text"].string }).count == counts.count)
    }
  }
}
