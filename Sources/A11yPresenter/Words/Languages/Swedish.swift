// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

extension OwnWords {
  static let swedish = OwnWords(
    plurals: .oneAlone,
    roles: Roles(
      secure: "säker",
      textField: "textfält",
      searchField: "sökfält",
      button: "knapp",
      link: "länk",
      image: "bild",
      key: "tangent",
      heading: "rubrik",
      adjustable: "justerbar",
      checkbox: "kryssruta",
      columnHeader: "kolumnrubrik",
      comboBox: "kombinationsruta",
      dialog: "dialogruta",
      alertDialog: "varningsruta",
      cell: "cell",
      listItem: "listobjekt",
      menuItem: "menyalternativ",
      option: "alternativ",
      progressBar: "förloppsindikator",
      radio: "alternativknapp",
      row: "rad",
      rowHeader: "radrubrik",
      slider: "skjutreglage",
      spinButton: "räknarfält",
      switch: "reglage",
      tab: "flik",
      toggleButton: "växlingsknapp",
      treeItem: "trädobjekt"
    ),
    states: States(
      selected: "markerad",
      notSelected: "inte markerad",
      dimmed: "inte tillgänglig",
      available: "tillgänglig",
      checked: Pair("ikryssad", "inte ikryssad"),
      partlyChecked: "delvis ikryssad",
      on: Pair("på", "av"),
      pressed: Pair("nedtryckt", "inte nedtryckt"),
      expanded: Pair("utfälld", "hopfälld"),
      required: "obligatorisk",
      invalid: Pair("ogiltig", "giltig"),
      place: "{index} av {count}"
    ),
    more: [
      .one: "{count} till från {apps}",
      .other: "{count} till från {apps}",
    ],
    missed: [
      .one: "{count} meddelande från {apps} missades",
      .other: "{count} meddelanden från {apps} missades",
    ],
    bullets: [.one: "en punkt", .other: "{count} punkter"],
    appList: AppList(comma: ", ", and: " och ", otherApps: "andra appar")
  )
}
