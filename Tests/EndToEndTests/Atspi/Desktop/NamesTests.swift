// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

extension DesktopTests {
  /// Names and labels in regions, and regions that come with their texts, in real browsers.
  @Suite(.enabled(if: Desktop.excuse(Browser.obstacle) == nil, "\(Browser.obstacle ?? "")"))
  struct NamesTests {
    @Test(arguments: Browser.allCases)
    func `names, labels and regions that come are told, each once`(browser: Browser) throws {
      let rig = try DesktopRig()
      let process = try rig.show(browser, page: "names.html")
      try rig.waitForEvent("screen-changed") { $0["text"] == .string("Names") }
      try rig.screen.activate("Names")
      try rig.screen.press("space")
      try rig.waitForText("File sent")
      try rig.end(process, of: browser.app)

      let events = try rig.bridge.daemon.entries().map { try $0.event() }
      let texts = events.filter { $0["type"] == "announcement" }.compactMap { $0["text"].string }
      // Chromium tells what is urgent on a page that loads. Firefox tells a new name where somebody
      // has asked for the one before.
      let told = texts.filter { $0 != "Disk:" && $0 != "Stop" }
      #expect(
        told == [
          "Rain", "Close", "Result. 5 found", "Recording", "five", "Disk: full", "File sent",
        ]
      )
      if browser == .chromium { #expect(texts.filter { $0 == "Stop" } == ["Stop"]) }
    }
  }
}
