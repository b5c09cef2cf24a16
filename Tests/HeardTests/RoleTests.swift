// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

/// Roles, states and places of elements, changes of the one that the user is at, and dialogs.
@Suite struct RoleTests {
  private func name(_ fields: [String: JSON]) throws -> String {
    var script = Script([button("first", "First"), element("b", "Wi-Fi", fields)])
    script.at(0, user("next"))
    return String(try script.run().spoken.first?.dropFirst(2) ?? "")
  }

  // MARK: What is said on focus

  @Test func `a role is said in the place of the word of the traits`() throws {
    #expect(
      try name(["role": "switch", "traits": ["button"], "checked": false]) == "Wi-Fi, switch, off"
    )
    #expect(
      try name(["role": "toggle-button", "checked": true]) == "Wi-Fi, toggle button, pressed"
    )
    #expect(
      try name(["role": "checkbox", "checked": "mixed"]) == "Wi-Fi, checkbox, partly checked"
    )
    #expect(try name(["role": "own-role", "traits": ["button"]]) == "Wi-Fi, button")
    #expect(try name(["role": "text-field", "traits": ["secure"]]) == "Wi-Fi, secure, text field")
  }

  @Test func `states come in their order, then the place, then the hint`() throws {
    let all: [String: JSON] = [
      "role": "combo-box", "expanded": false, "traits": ["selected", "not-enabled"],
      "required": true, "invalid": true, "set": ["index": 2, "count": 5], "hint": "Pick one.",
    ]

    #expect(
      try name(all)
        == "Wi-Fi, combo box, collapsed, selected, dimmed, required, invalid, 2 of 5. Pick one."
    )
  }

  @Test func `a value that is the label is said once`() throws {
    #expect(try name(["value": "Wi-Fi", "role": "text-field"]) == "Wi-Fi, text field")
  }

  // MARK: What changes

  private func told(
    _ role: String,
    _ before: [String: JSON],
    _ change: [String: JSON]
  ) throws
    -> [String]
  {
    var fields = before
    fields["role"] = .string(role)
    var script = Script([button("first", "First"), element("b", "Wi-Fi", fields)])
    script.at(0, user("next"))
    script.at(5_000, changes(change.merging(["id": "b"]) { $1 }))
    return try script.run().spoken.dropFirst().map { String($0) }
  }

  @Test func `a state of the focused element is told as it changes`() throws {
    #expect(try told("switch", ["checked": false], ["checked": true]) == ["5000 on"])
    #expect(try told("checkbox", ["checked": true], ["checked": false]) == ["5000 not checked"])
    #expect(try told("tree-item", ["expanded": false], ["expanded": true]) == ["5000 expanded"])
    #expect(try told("text-field", [:], ["invalid": true]) == ["5000 invalid"])
    #expect(try told("text-field", ["invalid": true], ["invalid": false]) == ["5000 valid"])
    #expect(try told("option", [:], ["traits": ["not-enabled"]]) == ["5000 dimmed"])
    #expect(try told("option", [:], ["required": true, "set": ["index": 1, "count": 2]]) == [])
  }

  @Test func `a new name of the focused element is told, and that of another is not`() throws {
    #expect(try told("button", [:], ["label": "Bluetooth"]) == ["5000 Bluetooth"])
    #expect(
      try told("slider", ["value": "5"], ["label": "Sound", "value": "6"]) == ["5000 Sound, 6"]
    )
    var script = Script([button("a", "Play"), button("b", "Next")])
    script.at(0, user("activate", ["element": "a"]))
    script.at(5_000, user("next"))
    script.at(5_500, changes(["id": "a", "label": "Pause"]))

    #expect(try script.run().spoken.last == "5000 Next, button")
  }

  @Test func `the values of an element that the focus leaves are not told behind it`() throws {
    var script = Script([element("a", "Fruit", ["value": "Apple"]), button("b", "Save")])
    script.at(0, "long", says(text(200), ["queue": true]))
    script.at(100, user("focus", ["element": "a"]))
    script.at(3_000, "busy", shouts(text(100)))
    script.at(3_100, "value", changes(["id": "a", "value": "Banana"]))
    script.at(3_200, user("next"))

    let heard = try script.run()

    #expect(heard.result("value") == "superseded")
    #expect(heard.spoken.last?.contains("Save, button") == true)
  }

  // MARK: Dialogs

  private var dialog: [JSON] {
    [
      button("open", "Delete"),
      [
        "id": "d", "role": "alert-dialog", "label": "Delete the file?",
        "hint": "It cannot be brought back",
      ],
      button("yes", "Yes", ["parent": "d"]), button("no", "No", ["parent": "d"]),
    ]
  }

  @Test func `the name and the text of a dialog are told once, on the way in`() throws {
    var script = Script(dialog)
    script.at(0, user("focus", ["element": "yes"]))
    script.at(10_000, user("next"))
    script.at(20_000, user("focus", ["element": "open"]))
    script.at(30_000, user("focus", ["element": "no"]))

    #expect(
      try script.run().spoken == [
        "0 Delete the file? alert dialog. It cannot be brought back. Yes, button",
        "10000 No, button",
        "20000 Delete, button",
        "30000 Delete the file? alert dialog. It cannot be brought back. No, button",
      ]
    )
  }

  @Test func `the word for a dialog is in its language, else in the user's`() throws {
    func told(_ more: [String: JSON]) throws -> String? {
      let fields: [String: JSON] = ["role": "dialog", "hint": "It cannot be brought back"]
      let dialog = element("d", "Name", fields.merging(more) { $1 })
      let ok = button("yes", "OK", ["parent": "d"])
      var script = Script([button("open", "Rename"), dialog, ok])
      script.at(0, user("focus", ["element": "yes"]))
      return try script.run().spoken.last.map { String($0) }
    }
    #expect(try told(["lang": "de"]) == "0 Name, Dialog. It cannot be brought back. OK, button")
    #expect(try told(["lang": "fi"]) == "0 Name, dialog. It cannot be brought back. OK, button")
    #expect(try told(["label": .null]) == "0 dialog. It cannot be brought back. OK, button")
    #expect(try told(["hint": .null]) == "0 Name, dialog. OK, button")
    #expect(try told(["label": .null, "hint": .null]) == "0 OK, button")
  }

  @Test func `an element that takes the place of a focused one is in the dialog still`() throws {
    var script = Script(dialog)
    script.at(0, user("focus", ["element": "yes"]))
    script.at(10_000, removes(["yes"]))

    #expect(try script.run().spoken.last == "10000 No, button")
  }
}
