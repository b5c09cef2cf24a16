// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yClient
import A11yTestKit
import Testing

/// The way into dialogs and out of them.
@Suite(.timeLimit(.minutes(hangs))) struct EarsDialogTests: EarsTrial {
  var ears = Ears()
  var now: Int64 = 1_000_000_000

  private static let box = SourceObject(sender, "/org/a11y/atspi/accessible/20")
  private static let question = SourceQuestion(.dialog, box)

  private mutating func focus(
    _ source: SourceObject,
    in dialog: SourceFacts? = SourceFacts(role: AtspiRole(16))
  ) throws -> EarsTurn {
    try hear(.focused, from: source)
    var found = ControlFacts(SourceFacts(role: AtspiRole(43), name: "Yes"))
    found.dialog = dialog.map { ControlFacts.Dialog(Self.box, $0) }
    return try answer(SourceQuestion(.control, source), .control(found))
  }

  private mutating func enter(_ dialog: SourceFacts) throws -> EarsTurn {
    _ = try focus(Self.button, in: dialog)
    return try answer(Self.question, .dialog(title: "Confirm", text: "Delete all files?"))
  }

  @Test(arguments: [
    (SourceFacts(role: AtspiRole(16)), "dialog"), (SourceFacts(role: .alert), "alert-dialog"),
    (SourceFacts(role: AtspiRole(16), attributes: ["xml-roles": "alertdialog"]), "alert-dialog"),
  ])
  mutating func `title and text of a dialog come with the focus in it`(
    facts: SourceFacts,
    role: String
  ) throws {
    try introduce()
    let asked = try focus(Self.button, in: facts)
    let told = try answer(Self.question, .dialog(title: "Confirm", text: "Delete all files?"))
    let elements = try #require(told.events[0]["upsert"]?.list)

    #expect(asked.questions == [Self.question])
    #expect(asked.events == [])
    #expect(told.types == ["elements", "focus-changed"])
    #expect(elements.map { $0["label"]?.string } == ["Confirm", "Yes"])
    #expect(elements[0]["role"]?.string == role)
    #expect(elements[0]["hint"]?.string == "Delete all files?")
    #expect(elements[1]["parent"]?.string == Self.box.element)
  }

  @Test mutating func `a dialog is asked once, until the focus comes into it again`() throws {
    try introduce()
    _ = try enter(SourceFacts(role: AtspiRole(16)))
    let within = try focus(Self.region)
    let outside = try focus(Self.frame, in: nil)
    let again = try focus(Self.button)

    #expect(within.types == ["elements", "focus-changed"])
    #expect(within.events[0]["upsert"]?.list?.count == 1)
    #expect(outside.types == ["elements", "focus-changed"])
    #expect(again.questions == [Self.question])
  }

  @Test mutating func `a dialog that does not answer keeps no focus back`() throws {
    try introduce()
    _ = try focus(Self.button)
    let told = try answer(Self.question, .none)
    #expect(told.types == ["elements", "focus-changed"])
  }

  @Test mutating func `the newest focus in a dialog that is asked is told alone`() throws {
    try introduce()
    _ = try focus(Self.button)
    try hear(.focused, from: Self.region)
    let told = try answer(Self.question, .dialog(title: "Confirm", text: ""))
    let later = try focus(Self.region)

    #expect(told.events.last?["element"]?.string == Self.button.element)
    #expect(later.types == ["elements", "focus-changed"])
  }

  @Test mutating func `an alert whose texts were told has its title alone`() throws {
    try introduce()
    let alert = SourceFacts(role: .alert, name: "Confirm")
    try teach(Self.box, alert)
    try hear(.shown, from: Self.box)
    try answer(SourceQuestion(.labels, Self.box), .text("Delete all files?"))
    let told = try enter(alert)

    #expect(told.events[0]["upsert"]?.list?.first?["label"]?.string == "Confirm")
    #expect(told.events[0]["upsert"]?.list?.first?["hint"] == nil)
  }

  @Test mutating func `an alert of a page with a link in it is no dialog`() {
    let attributes = ["tag": "div", "xml-roles": "alert"]
    #expect(!SourceFacts(role: .alert, attributes: attributes).isDialog)
    #expect(SourceFacts(role: .alert).isDialog)
  }
}
