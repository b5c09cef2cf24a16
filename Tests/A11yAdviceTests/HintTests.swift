// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAdvice
import Testing

/// Advice on hints, and its absence.
@Suite struct HintTests {
  @Test(arguments: [
    "removes the contact.", "Removes the contact", "removes the contact", "Entfernt den Kontakt",
    "élan.", "e\u{301}lan.", "Removes the cafe\u{301}", "Nummer 3", "Öffnet es (sofort)",
  ])
  func `a hint that is no sentence is told`(hint: String) throws {
    #expect(try Publisher.codes(hint: hint) == ["hint.no-sentence"])
  }

  @Test(arguments: [
    "Removes the contact.", "Entfernt den Kontakt.", "Opens at 10 a.m.",
    "iPhone settings are shown.",
    "notes.txt is opened.", "Really?", "Shows more…", "Öffnet die 3.", "Ends with e\u{301}!",
    "削除します", "连绵不断", "يحذف جهة الاتصال",
    "מוחק את איש הקשר", "ลบผู้ติดต่อ", "Удаляет контакт", "Shows “Ada”.",
    "Shows all (in a list).", "",
  ])
  func `a sentence is not, in any script`(hint: String) throws {
    #expect(try Publisher.codes(hint: hint) == [])
  }

  @Test(arguments: [
    "Double tap to remove the contact.", "Double-tap to open.", "Swipe up to delete.",
    "Tap to open.",
    "To open it, double tap.", "Removes it when you double tap.", "Opens with a swipe.",
    "Opens the list by swiping.", "Press and hold to move it.", "Click here.",
    "Use\u{a0}double-clicking.", "Then, tap and hold, please.", "Opens it via a long press.",
    "Doppeltippen zum Öffnen.", "Zum Öffnen doppelt tippen.", "Tippen Sie doppelt.",
    "Wischen Sie nach oben.",
  ])
  func `a gesture is told`(hint: String) throws {
    #expect(try Publisher.codes(hint: hint) == ["hint.gesture"])
  }

  @Test(arguments: [
    "Turns double tap to wake on.", "Turns on tap to click.", "Shows the tap water quality.",
    "Configures swipe gestures.", "Plays a click when a key is pressed.",
    "Opens the swipe settings.",
    "Shows tips for tippen.", "Tapestries are shown.",
  ])
  func `a thing that is called like a gesture is not`(hint: String) throws {
    #expect(try Publisher.codes(hint: hint) == [])
  }

  @Test(arguments: [
    "This button removes the contact.", "Button that removes the contact.",
    "A link to the home page.", "The search field which finds it.", "Opens this search field.",
    "Diese Schaltfläche entfernt den Kontakt.",
  ])
  func `a hint that names its control is told`(hint: String) throws {
    #expect(try Publisher.codes(hint: hint) == ["hint.names-control"])
  }

  @Test(arguments: [
    "Changes what the power button does.", "Adds a button to the toolbar.", "Copies the link.",
    "Button Gwinnett signed here.", "Links the two accounts.", "Shows this month.",
  ])
  func `a control that it is about is not`(hint: String) throws {
    #expect(try Publisher.codes(hint: hint) == [])
  }

  @Test(arguments: [
    "Remove the contact.", "Delete all messages.", "Open the file.", "Play this song.",
    "Copy it.", "Go the whole way.", "Entfernen Sie den Kontakt.", "Kontakt entfernen.",
    "Apply the filter.", "Switch the account.",
  ])
  func `an order is told`(hint: String) throws {
    #expect(try Publisher.codes(hint: hint) == ["hint.verb-form"])
  }

  @Test(arguments: [
    "Removes the contact.", "Open files are shown.", "Search results appear below.",
    "Open to everyone.", "Play lists are below.", "Set by the administrator.", "Sort order.",
    "Hidden.", "Delete is not possible.", "Löschen ist nicht möglich.",
    "Hier kann man Kontakte entfernen.", "Remove and add are below.", "Set of stamps.",
  ])
  func `a hint that only looks like an order is not`(hint: String) throws {
    #expect(try Publisher.codes(hint: hint) == [])
  }

  @Test func `the right form is named`() throws {
    func message(_ hint: String) throws -> String? {
      try Publisher.advice(element: #""label":"A","hint":"\#(hint)""#).first?.message
    }

    #expect(try message("Remove the contact.")?.contains(#""Removes" instead of "Remove""#) == true)
    #expect(try message("Apply the filter.")?.contains(#""Applies""#) == true)
    #expect(try message("Switch the account.")?.contains(#""Switches""#) == true)
    #expect(try message("Play the song.")?.contains(#""Plays""#) == true)
    #expect(try message("Kontakt löschen.")?.contains(#""Löscht""#) == true)
  }

  @Test func `the words are those of the element's language`() throws {
    #expect(try Publisher.codes(hint: "Remove the contact.", lang: "de") == [])
    #expect(try Publisher.codes(hint: "Kontakt entfernen.", lang: "en") == [])
    #expect(try Publisher.codes(hint: "Tap to open.", lang: "nl") == [])
  }
}
