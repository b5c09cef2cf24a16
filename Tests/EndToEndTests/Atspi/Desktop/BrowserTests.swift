// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

extension DesktopTests {
  /// A page in real browsers, as the log has it after one visit with each.
  @Suite(.enabled(if: Desktop.excuse(Browser.obstacle) == nil, "\(Browser.obstacle ?? "")"))
  struct BrowserTests {
    /// The texts of regions with more to be said about them, which tests of their own look at.
    private static let particular: Set = [
      "Time 10:05", "Whole", "removed: Ada has left", "Copying 50 %", "Copying 100 %",
    ]
    private static let urgent = ["Assertive text", "The disk is full", "Noted at once"]

    private static let notes = ["Noted", "Noted at once"]
    private static let expected = [
      "Polite text", "Assertive text", "Saved", "First of two", "Second of two",
      "One", "and the other", "Saved", "The disk is full",
      "Ada: Hello", "Bob: Good morning", "Added", "Your turn", "Contacts saved",
    ]

    @Test(arguments: Browser.allCases)
    func `each announcement comes once, and in order`(browser: Browser) throws {
      let visit = try PageVisit.with(browser)
      let usual = visit.texts.filter { !Self.particular.contains($0) && !Self.notes.contains($0) }
      // Chromium may tell two paragraphs at once.
      #expect(usual.joined(separator: " ") == Self.expected.joined(separator: " "))
    }

    @Test(arguments: Browser.allCases)
    func `the notes of a page come once, and in order`(browser: Browser) throws {
      let texts = try PageVisit.with(browser).texts
      withKnownIssue("browsers tell no note through ATK 2.46", isIntermittent: true) {
        #expect(texts.filter(Self.notes.contains) == Self.notes)
      }
    }

    @Test(arguments: Browser.allCases)
    func `alerts, assertive regions and urgent notes are high`(browser: Browser) throws {
      for announcement in try PageVisit.with(browser).announcements {
        let isProgress = announcement["class"] == .string("progress")
        let isUrgent = Self.urgent.contains(announcement["text"].string ?? "")
        let priority: JSON = isProgress ? .absent : isUrgent ? "high" : "default"
        #expect(announcement["priority"] == priority, "\(announcement)")
        #expect(announcement["origin"] == .string("atspi"))
      }
    }

    @Test(arguments: Browser.allCases)
    func `progress is told in hundredths, with its end`(browser: Browser) throws {
      let visit = try PageVisit.with(browser)
      let progress = visit.announcements.filter { $0["class"] == .string("progress") }
      #expect(progress.map { $0["text"].string } == ["Copying 50 %", "Copying 100 %"])
      #expect(progress.last?["final"] == .bool(true))
    }

    @Test(arguments: Browser.allCases)
    func `an atomic region is told as a whole`(browser: Browser) throws {
      let texts = try PageVisit.with(browser).texts
      #expect(texts.filter { $0.contains("10:0") } == ["Time 10:05"])
    }

    @Test(arguments: Browser.allCases)
    func `a busy region is told when it is free`(browser: Browser) throws {
      let texts = try PageVisit.with(browser).texts
      #expect(texts.filter { ["Half", "Whole"].contains($0) } == ["Whole"])
    }

    @Test(arguments: Browser.allCases)
    func `a region that tells removals tells them`(browser: Browser) throws {
      let texts = try PageVisit.with(browser).texts
      withKnownIssue("Firefox tells the place alone of an object that goes", isIntermittent: true) {
        #expect(texts.filter { $0.contains("Ada") } == ["Ada: Hello", "removed: Ada has left"])
      } when: {
        browser == .firefox
      }
    }

    @Test(arguments: Browser.allCases, [("Saved", "status"), ("Ada: Hello", "chat")])
    func `an announcement has the class of its region`(
      browser: Browser,
      region: (text: String, class: String)
    ) throws {
      let announcement = try PageVisit.with(browser).announcement(region.text)
      #expect(announcement["class"] == .string(region.class))
    }

    @Test(arguments: Browser.allCases)
    func `a page that is shown is one new screen`(browser: Browser) throws {
      let events = try PageVisit.with(browser).events
      let screens = events.filter { $0["type"] == .string("screen-changed") }
        .compactMap { $0["text"].string }
      // Firefox may show its window before it has the page's title.
      #expect(screens.filter { $0 != "Mozilla Firefox" } == ["Contacts"])
    }

    @Test(arguments: Browser.allCases)
    func `the focus follows the user`(browser: Browser) throws {
      let moves = try PageVisit.with(browser).moves.suffix(8)
      #expect(
        moves == ["Save", "Other", "Colour", "Other", "Save", "Password", "Save", "Password"]
      )
    }

    @Test(arguments: Browser.allCases)
    func `the choice of a select is heard with it, and a new one alone`(browser: Browser) throws {
      let elements = try PageVisit.with(browser).events.map { $0["upsert"][0] }
      let choices = elements.filter { ["Green", "Blue"].contains($0["value"].string ?? "") }
      #expect(choices.map { $0["value"].string } == ["Green", "Blue"])
      #expect(choices.map { $0["label"].string } == ["Colour", nil])
    }

    @Test(arguments: Browser.allCases)
    func `a timer and a region that is off are not told`(browser: Browser) throws {
      let texts = try PageVisit.with(browser).texts
      #expect(!texts.contains { $0.contains("off") || Int($0) != nil })
    }

    @Test(arguments: Browser.allCases)
    func `a password never gets in, by letters or by dots`(browser: Browser) throws {
      let visit = try PageVisit.with(browser)
      let elements = visit.events.map { $0["upsert"][0] }
      let secrets = elements.filter { $0["traits"].strings?.contains("secure") == true }
      #expect(secrets.count == 2)
      #expect(secrets.allSatisfy { $0["value"].string == nil }, "\(secrets)")
      #expect(!visit.lines.contains { $0.contains(PageVisit.secret) })
    }
  }
}
