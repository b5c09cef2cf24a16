// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAdvice
import A11yWire
import Testing

/// Advice on labels, and its absence.
@Suite struct LabelTests {
  // MARK: Naming the type

  @Test(arguments: [
    ("Delete button", "button"), ("Delete Button", "button"), ("Play button", "button"),
    ("Add to cart button", "button"), ("Back button", "button selected"), ("Terms link", "link"),
    ("Search field", "search-field"), ("Name Text Field", "text-field"),
    ("Volume slider", "adjustable"), ("Image of a dog", "image"), ("Shift key", "keyboard-key"),
    ("Löschen Button", "button"), ("Löschen-Button", "button"), ("Senden Schaltfläche", "button"),
    ("Suchfeld", "search-field"), ("Lautstärke Schieberegler", "adjustable"),
    ("“Delete” button", "button"), ("Delete button.", "button"),
    ("Wiederherstellen-Button", "button"), ("LÖSCHEN SCHALTFLÄCHE", "button"),
  ])
  func `a label that names its own type is told`(label: String, traits: String) throws {
    #expect(try Publisher.codes(label: label, traits).contains("label.names-type"))
  }

  @Test(arguments: [
    ("Delete", "button"), ("Button Gwinnett", "button"), ("Jenson Button", "button"),
    ("Button", "button"), ("Jim Knopf", "button"), ("Alfred A. Knopf", "button"),
    ("Delete button", "link"), ("Delete button", "static-text"), ("Buttons", "button"),
    ("Power button", "button"), ("Home button", "button"), ("Side Button", "button"),
    ("How to sew on a button", "button"), ("Reset the power button", "button"),
    ("Copy link", "link"), ("Link", "link"), ("Copy link", "button"), ("Search", "search-field"),
    ("Public key", "keyboard-key"), ("Improve taste", "button"), ("Buttonhole", "button"),
    ("Unbutton", "button"), ("Müller-Knopf", "button"), ("Anne Smith-Button", "button"),
    ("The image of Dorian Gray", "image"), ("Profile picture", "image"), ("按钮", "button"),
    ("زر الحذف", "button"), ("Bouton supprimer", "button"), ("Uplink", "link"),
    ("Link to the past", "link"),
  ])
  func `names, things and other types are not`(label: String, traits: String) throws {
    #expect(try !Publisher.codes(label: label, traits).contains("label.names-type"))
  }

  @Test func `the words are those of the element's language`() throws {
    #expect(
      try Publisher.codes(label: "Delete button", "button", lang: "en-GB") == ["label.names-type"]
    )
    #expect(
      try Publisher.codes(label: "Kontakt-Schaltfläche", "button", lang: "de-AT")
        == ["label.names-type"]
    )
    #expect(try Publisher.codes(label: "Delete button", "button", lang: "fr") == [])
    #expect(try Publisher.codes(label: "Löschen Schaltfläche", "button", lang: "en") == [])
    #expect(try Publisher.codes(label: "Terms link", "link", lang: "de") == [])
  }

  @Test func `the traits may have come before the label`() throws {
    let app = Publisher()
    try app.publish(
      #"{"type":"elements","window":"w","upsert":[{"id":"a","label":"A","traits":["button"]}]}"#
    )

    let said = try app.publish(
      #"{"type":"elements","window":"w","upsert":[{"id":"b"},{"id":"a","label":"Delete button"}]}"#
    )

    #expect(said.map(\.advice.code) == [.labelNamesType])
    #expect(said.first?.advice.field == "event.upsert[1].label")
    #expect(said.first?.seq.number == 2)
    #expect(
      said.first?.advice.message
        == #"Leave "button" out of "Delete button"; readers say what an element is by its traits."#
    )
  }

  // MARK: Small letters

  @Test(arguments: [
    ("delete", "button"), ("delete contact", "button"), ("settings", "button"),
    ("add contact", "button"), ("name", "text-field"), ("search", "search-field"),
    ("volume", "adjustable"), ("löschen", "button"), ("kontakt löschen", "button"),
    ("öffnen", "button"), ("save Ada", "button"), ("lo\u{308}schen", "button"),
    ("wiederherstellen", "button"),
  ])
  func `a control whose label starts small is told`(label: String, traits: String) throws {
    #expect(try Publisher.codes(label: label, traits) == ["label.lower-case"])
  }

  @Test(arguments: [
    ("iPhone", "button"), ("eBay", "button"), ("macOS", "button"), ("iOS settings", "button"),
    ("notes.txt", "button"), ("main.swift", "button"), ("delete.sh", "button"), ("vim", "button"),
    ("adidas", "button"), ("ada@example.org", "button"), ("van Gogh", "button"),
    ("bell hooks", "button"), ("git status", "button"), ("buy milk", "button"),
    ("a", "keyboard-key"),
    ("delete", "keyboard-key"), ("read more about it", "link"), ("search", "link"),
    ("x-axis", "button"), ("search_results", "button"), ("open-source", "button"),
    ("you can delete all of these messages at once", "button"), ("设置", "button"),
    ("設定", "button"), ("الإعدادات", "button"), ("הגדרות", "button"), ("ตั้งค่า", "button"),
    ("Delete", "button"), ("3 items", "button"), ("„delete“", "button"), ("delete", "static-text"),
    ("delete", ""), ("ლაშა", "button"),
  ])
  func `names, files and scripts without capitals are not`(label: String, traits: String) throws {
    #expect(try Publisher.codes(label: label, traits) == [])
  }

  @Test func `nothing is said of letters in a language without a table`() throws {
    #expect(try Publisher.codes(label: "menu", "button", lang: "fr") == [])
    #expect(try Publisher.codes(label: "settings", "button", lang: "de") == [])
  }

  // MARK: Full stops

  @Test(arguments: [
    ("Delete.", "button"), ("Delete contact.", "button"), ("Name of contact.", "text-field"),
    ("Add.", "button"), ("Kontakt löschen.", "button"), ("Kontakt lo\u{308}schen.", "button"),
    ("Café.", "button"), ("KONTAKT LÖSCHEN.", "button"),
  ])
  func `a control whose label ends with a full stop is told`(label: String, traits: String) throws {
    #expect(try Publisher.codes(label: label, traits) == ["label.full-stop"])
  }

  @Test(arguments: [
    ("Save as…", "button"), ("Save as...", "button"), ("Apple Inc.", "button"),
    ("Acme Corp.", "button"), ("Martin Luther King Jr.", "button"), ("10 a.m.", "button"),
    ("Washington, D.C.", "button"), ("Hauptstr.", "button"), ("Am 3.", "button"),
    ("See you tomorrow.", "button"), ("It was nice.", "button"), ("Ich komme später.", "button"),
    ("Deleted. Really gone.", "button"), ("This is a paragraph of text.", "static-text"),
    ("Read more.", "link"), (".", "keyboard-key"), ("Sure?", "button"), ("保存。", "button"),
    ("Prof.", "button"), ("etc.", "button"), ("Сохранить.", "button"), ("Version 2.", "button"),
  ])
  func `abbreviations, messages and texts are not`(label: String, traits: String) throws {
    #expect(try !Publisher.codes(label: label, traits).contains("label.full-stop"))
  }

  // MARK: Missing

  @Test(arguments: [
    #""traits":["button"]"#, #""traits":["link"]"#, #""traits":["adjustable"],"value":"50 %""#,
    #""accessible":true"#, #""traits":["image"],"accessible":true"#,
    #""label":"","traits":["button"]"#,
    #""traits":["text-field","secure"]"#, #""label":null,"traits":["search-field"]"#,
  ])
  func `something that is stopped at and has no label is told`(element: String) throws {
    #expect(try Publisher.advice(element: element).map(\.code) == [.labelMissing])
    #expect(try Publisher.advice(element: element).map(\.field) == ["event.upsert[0].label"])
  }

  @Test(arguments: [
    #""traits":["button"],"label":"Delete""#, #""traits":["button"],"accessible":false"#,
    #""traits":["button"],"hidden":true"#, #""traits":["image"]"#, #""traits":[]"#,
    #""frame":[0,0,1,1]"#, #""accessible":true,"value":"12:05""#, #""traits":["header"]"#,
    #""accessible":false"#, #""label":null"#,
  ])
  func `an element that is no stop is not`(element: String) throws {
    #expect(try Publisher.codes(element: element) == [])
  }

  @Test func `a frame around others needs none`() throws {
    let said = try Publisher().publish(
      """
      {"type":"elements","window":"w","upsert":[{"id":"row","traits":["button"]},\
      {"id":"text","parent":"row","label":"Ada","traits":["static-text"]}]}
      """
    )

    #expect(said == [])
  }

  @Test func `a label that is known already is no missing one`() throws {
    let app = Publisher()
    try app.publish(#"{"type":"elements","window":"w","upsert":[{"id":"a","label":"Delete"}]}"#)

    let kept = try app.publish(
      #"{"type":"elements","window":"w","upsert":[{"id":"a","traits":["button"]}]}"#
    )
    let other = try app.publish(
      #"{"type":"elements","window":"v","upsert":[{"id":"a","traits":["button"]}]}"#
    )
    let removed = try app.publish(
      #"{"type":"elements","window":"w","upsert":[{"id":"a","label":null}]}"#
    )

    #expect(kept == [])
    #expect(other.map(\.advice.code) == [.labelMissing])
    #expect(removed.map(\.advice.code) == [.labelMissing])
  }

  @Test func `a change of something else is not blamed for it`() throws {
    let app = Publisher()
    try app.publish(#"{"type":"elements","window":"w","upsert":[{"id":"a","traits":["button"]}]}"#)

    let said = try app.publish(
      #"{"type":"elements","window":"w","upsert":[{"id":"a","frame":[0,0,1,1]}]}"#
    )

    #expect(said == [])
  }

  @Test func `where the log begins in the middle the label may have come before`() throws {
    let app = Publisher(after: 100)
    let event = #"{"type":"elements","window":"w","upsert":[{"id":"a","traits":["button"]}]}"#

    #expect(try app.publish(event) == [])
    let replaced = try app.publish(
      #"{"type":"elements","window":"w","replace":[{"id":"b","traits":["button"]}]}"#
    )
    #expect(replaced.map(\.advice.code) == [.labelMissing])
    #expect(replaced.first?.advice.field == "event.replace[0].label")
    #expect(try app.publish(event).map(\.advice.code) == [.labelMissing])
    app.lose(3)
    #expect(try app.publish(event) == [])
  }

  @Test func `a label that was redacted is one`() throws {
    let app = Publisher()

    let said = try app.publish(
      """
      {"type":"elements","window":"w","upsert":[{"id":"a","traits":["button"],"redacted":"1-8"}],\
      "sensitive":true}
      """
    )

    #expect(said == [])
  }

  // MARK: Traits

  @Test(arguments: [
    #"["button","link"]"#, #"["static-text","button"]"#, #"["search-field","link","header"]"#,
  ])
  func `an element that is two things at once is told`(traits: String) throws {
    let said = try Publisher.advice(element: #""label":"A","traits":\#(traits)"#)

    #expect(said.map(\.code) == [.traitsConflict])
    #expect(said.first?.field == "event.upsert[0].traits")
  }

  @Test(arguments: [
    #"["button","selected"]"#, #"["link","image"]"#, #"["static-text","header"]"#, #"["button"]"#,
    #"["search-field","text-field"]"#, "null", #"["button","button"]"#,
  ])
  func `an element that is one thing is not`(traits: String) throws {
    #expect(try Publisher.codes(element: #""label":"A","traits":\#(traits)"#) == [])
  }

  // MARK: Figures

  @Test func `figures in a label are told, with another way out than in a text`() throws {
    let said = try Publisher.advice(element: #""label":"98110","traits":["static-text"]"#)

    #expect(said.map(\.code) == [.textDigits])
    #expect(said.first?.message.contains("spaces between the digits") == true)
    #expect(try Publisher.codes(label: "$0–1.3M, 2+ bd", "button") == ["text.abbreviation"])
  }
}
