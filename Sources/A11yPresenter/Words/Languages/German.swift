// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

extension OwnWords {
  static let german = OwnWords(
    plurals: .oneAlone,
    roles: Roles(
      secure: "gesichert",
      textField: "Textfeld",
      searchField: "Suchfeld",
      button: "Schaltfläche",
      link: "Link",
      image: "Bild",
      key: "Taste",
      heading: "Überschrift",
      adjustable: "anpassbar",
      checkbox: "Kontrollkästchen",
      columnHeader: "Spaltenkopf",
      comboBox: "Kombinationsfeld",
      dialog: "Dialog",
      alertDialog: "Warndialog",
      cell: "Zelle",
      listItem: "Listeneintrag",
      menuItem: "Menüpunkt",
      option: "Option",
      progressBar: "Fortschrittsbalken",
      radio: "Optionsfeld",
      row: "Zeile",
      rowHeader: "Zeilenkopf",
      slider: "Schieberegler",
      spinButton: "Drehfeld",
      switch: "Schalter",
      tab: "Registerkarte",
      toggleButton: "Umschalter",
      treeItem: "Baumeintrag"
    ),
    states: States(
      selected: "ausgewählt",
      notSelected: "nicht ausgewählt",
      dimmed: "ausgegraut",
      available: "verfügbar",
      checked: Pair("aktiviert", "nicht aktiviert"),
      partlyChecked: "teilweise aktiviert",
      on: Pair("ein", "aus"),
      pressed: Pair("gedrückt", "nicht gedrückt"),
      expanded: Pair("aufgeklappt", "zugeklappt"),
      required: "erforderlich",
      invalid: Pair("ungültig", "gültig"),
      place: "{index} von {count}"
    ),
    more: [
      .one: "{count} weitere von {apps}",
      .other: "{count} weitere von {apps}",
    ],
    missed: [
      .one: "{count} Ansage von {apps} wurde verpasst",
      .other: "{count} Ansagen von {apps} wurden verpasst",
    ],
    bullets: [.one: "ein Punkt", .other: "{count} Punkte"],
    appList: AppList(comma: ", ", and: " und ", otherApps: "anderen Apps")
  )
}
