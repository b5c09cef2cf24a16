// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAdvice
import Testing

/// Advice on texts to be spoken, and its absence.
@Suite struct TextTests {
  // MARK: Sentences

  @Test(arguments: [
    "Item was added. The list has 3 items.", "Saved. Close the window.", "Item was added. 3 items.",
    "Gelöscht. Alles ist weg.",
  ])
  func `more than a sentence is told`(text: String) throws {
    #expect(try Publisher.codes(announcing: text) == ["announcement.long"])
  }

  @Test(arguments: [
    "Item was added", "Item was added.", "Message from Dr. Smith", "Prof. Noether is online",
    "Apple Inc. Announces results", "Today at 10 a.m. Call Ada", "Panic! At the Disco is playing",
    "St. Louis 3, Chicago 2", "Loading... Please wait", "Version 2.5 Was installed",
    "Am 3. Mai", "notes.txt was saved", "保存しました。閉じます。", "تم الحذف. أغلق النافذة",
    "Guardians of the Galaxy Vol. 2", "Saved to example.org/Files",
  ])
  func `one sentence is not`(text: String) throws {
    #expect(try Publisher.codes(announcing: text) == [])
  }

  @Test(arguments: ["\n", "  ", "\t", "\u{a0}", "\u{2028}", " \u{2009}"])
  func `any space parts sentences`(space: String) throws {
    #expect(
      try Publisher.codes(announcing: "Item was added.\(space)The list has 3 items.")
        == ["announcement.long"]
    )
    #expect(try Publisher.codes(announcing: "Item was added.\(space)") == [])
  }

  @Test(arguments: ["Файл сохранён. Готово", "a.b.cdef. Saved. Ünder", "Guten Abend. Éclair"])
  func `sentences are told in scripts with capitals`(text: String) throws {
    #expect(try Publisher.codes(announcing: text) == ["announcement.long"])
  }

  @Test(arguments: [
    "Item was added. 1️⃣", "notes.abcd. txt", "(Item was added.) The list", "Saved “it.” Then left",
    "Item.Added", "हिंदी. नए", "Abschn. Zwei", "a.bcde. Next", "Don’t. Stop",
  ])
  func `signs that are like an end are none`(text: String) throws {
    #expect(try Publisher.codes(announcing: text) == [])
  }

  @Test func `a sentence may end in the middle of the runs, and of a word`() throws {
    func codes(_ runs: String...) throws -> [AdviceCode] {
      let list = runs.map { #"{"text":"\#($0)"}"# }.joined(separator: ",")
      return try Publisher().publish(#"{"type":"announcement","text":[\#(list)]}"#)
        .map(\.advice.code)
    }

    #expect(try codes("Item add", "ed. ", "", "The list") == [.announcementLong])
    #expect(try codes("Item added.", #"\n\"\u0041nd\""#) == [])
    #expect(try codes("Item added.", #"\n\u0041nd"#) == [.announcementLong])
    #expect(try codes("Dr", ". Smith") == [])
    #expect(try codes(String(repeating: "é ", count: 240), "Done", ". Next") == [.announcementLong])
  }

  @Test func `a chat message may be longer`() throws {
    let text = "I am here. Where are you?"

    #expect(try Publisher.codes(announcing: text, more: #","class":"chat""#) == [])
    #expect(
      try Publisher.codes(announcing: text, more: #","class":"status""#) == ["announcement.long"]
    )
  }

  // MARK: Length

  @Test(arguments: [
    (500, []), (501, ["text.long"]), (4_000, ["text.long"]), (4_001, ["text.truncated"]),
  ])
  func `characters are counted, not bytes`(count: Int, codes: [String]) throws {
    for letter in ["a", "é", "字", "🙂"] {
      #expect(try Publisher.codes(announcing: String(repeating: letter, count: count)) == codes)
    }
    #expect(try Publisher.codes(announcing: String(repeating: "\"", count: count)) == codes)
  }

  @Test func `the runs of a text are counted together`() throws {
    let run = #"{"text":"\#(String(repeating: "a", count: 251))"}"#

    let said = try Publisher().publish(#"{"type":"announcement","text":[\#(run),\#(run)]}"#)

    #expect(said.map(\.advice.code) == [.textLong])
  }

  @Test(arguments: ["screen-changed", "page-scrolled"])
  func `every text to be spoken is measured`(type: String) throws {
    let text = String(repeating: "a", count: 501)

    #expect(
      try Publisher().publish(#"{"type":"\#(type)","text":"\#(text)"}"#).map(\.advice.code)
        == [.textLong]
    )
  }

  // MARK: Figures

  @Test(arguments: [
    "code\u{3000}12345", "ID: „12345“ is new", "123456700", "Köln, NW 50667", "98110.",
    "98110", "Your code is 482913", "Bainbridge Island, WA 98110", "PLZ 10117 Berlin",
    "Call 0301234567", "Order 48213 was shipped", "Ticket 123456789", "0123456 was dialled",
  ])
  func `digits that are no number are told`(text: String) throws {
    #expect(try Publisher.codes(announcing: text) == ["text.digits"])
  }

  @Test(arguments: [
    "98110, Seattle", "Island WA 98110", "Island, Wa 98110", "1234567 00",
    "pin it as seen in 48213 others",
    "the code of all my 12345 friends", "１２３４５", "12345\u{301}",
    "15000", "15000 files were copied", "Page 5 of 17", "2026", "1,234,567 people", "12 of 12345",
    "IMG_20240101 was saved", "Score: 12500", "3.14159", "0.12345", "Room 1234",
    "8000000 people live there", "v1.12345",
  ])
  func `numbers and dates are not`(text: String) throws {
    #expect(try Publisher.codes(announcing: text) == [])
  }

  @Test(arguments: [
    "2 (bd)", "2\u{a0}bd", "1.5\n„ba“", "2½ ba", "3–4 hrs", "10 yrs", "€1K", "¥3M–£5M", "$5—6",
    "2+ bd", "3 ba", "2.5 ba", "1,200 sqft", "$0–1.3M", "From €5-10", "£2M", "Open in 3 hrs.",
    "Delivery w/o contact",
  ])
  func `an abbreviation that voices mispronounce is told`(text: String) throws {
    #expect(try Publisher.codes(announcing: text) == ["text.abbreviation"])
  }

  @Test(arguments: [
    "2 BD", "(2 bd", "A4 hrs", "2 bdbdbd", "2 b", "$-5", "$5x-6", "W/o", "w/out", "½ bd", "₤2M",
    "§2",
    "2 beds", "$5", "$1,000.50", "5 km", "10 min", "3M", "A$AP Rocky", "bd", "Take 2 basses",
    "C++17",
    "99+", "1 of 3", "Ke$ha", "€20", "5 GB", "4K", "B2B",
  ])
  func `an abbreviation that voices know is not`(text: String) throws {
    #expect(try Publisher.codes(announcing: text) == [])
  }

  @Test func `a run that says how it is spoken is left alone`() throws {
    func codes(_ run: String) throws -> [String] {
      try Publisher().publish(
        #"{"type":"announcement","text":[{"text":"Seattle "},{"text":"98110"\#(run)}]}"#
      ).map { "\($0.advice.code.rawValue) \($0.advice.field)" }
    }

    #expect(try codes("") == ["text.digits event.text[1].text"])
    #expect(try codes(#","spell":false"#) == ["text.digits event.text[1].text"])
    #expect(try codes(#","spell":true"#) == [])
    #expect(try codes(#","ipa":"naɪn""#) == [])
  }

  @Test func `abbreviations belong to a language`() throws {
    func codes(_ lang: String) throws -> [AdviceCode] {
      try Publisher().publish(
        #"{"type":"announcement","text":[{"text":"2+ bd","lang":"\#(lang)"}]}"#
      ).map(\.advice.code)
    }

    #expect(try codes("en-US") == [.textAbbreviation])
    #expect(try codes("pl") == [])
  }

  // MARK: Other events

  @Test func `a layout-changed with a text is told`() throws {
    let said = try Publisher().publish(#"{"type":"layout-changed","text":"Saved"}"#)

    #expect(said.map(\.advice.code) == [.layoutText])
    #expect(said.first?.advice.field == "event.text")
  }

  @Test(arguments: [
    #"{"type":"layout-changed"}"#, #"{"type":"layout-changed","element":"a"}"#,
    #"{"type":"screen-changed","text":"Settings"}"#,
    #"{"type":"page-scrolled","text":"Page 5 of 17"}"#,
    #"{"type":"window","window":"w","title":"delete button."}"#,
  ])
  func `others are not`(event: String) throws {
    #expect(try Publisher().publish(event) == [])
  }

  @Test func `a redacted text takes no part`() throws {
    let event = #"{"type":"announcement","redacted":"33+","sensitive":true}"#

    #expect(try Publisher().publish(event) == [])
  }

  @Test func `the message quotes the beginning of a long text`() throws {
    let text = "Item was added. A" + String(repeating: "a", count: 300)

    let message = try Publisher().publish(#"{"type":"announcement","text":"\#(text)"}"#)
      .first?.advice.message

    #expect(message?.contains("Item was added.") == true)
    #expect((message?.count ?? 1_000) < 150)
  }
}
