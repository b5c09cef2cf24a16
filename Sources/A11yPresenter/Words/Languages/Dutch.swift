// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

extension OwnWords {
  static let dutch = OwnWords(
    plurals: .oneAlone,
    roles: Roles(
      secure: "beveiligd",
      textField: "tekstveld",
      searchField: "zoekveld",
      button: "knop",
      link: "link",
      image: "afbeelding",
      key: "toets",
      heading: "kop",
      adjustable: "aanpasbaar",
      checkbox: "selectievakje",
      columnHeader: "kolomkop",
      comboBox: "keuzelijst met invoervak",
      dialog: "dialoogvenster",
      alertDialog: "waarschuwing",
      cell: "cel",
      listItem: "lijstonderdeel",
      menuItem: "menuonderdeel",
      option: "optie",
      progressBar: "voortgangsbalk",
      radio: "keuzerondje",
      row: "rij",
      rowHeader: "rijkop",
      slider: "schuifregelaar",
      spinButton: "getalveld",
      switch: "schakelaar",
      tab: "tabblad",
      toggleButton: "wisselknop",
      treeItem: "boomonderdeel"
    ),
    states: States(
      selected: "geselecteerd",
      notSelected: "niet geselecteerd",
      dimmed: "niet beschikbaar",
      available: "beschikbaar",
      checked: Pair("aangevinkt", "niet aangevinkt"),
      partlyChecked: "gedeeltelijk aangevinkt",
      on: Pair("aan", "uit"),
      pressed: Pair("ingedrukt", "niet ingedrukt"),
      expanded: Pair("uitgevouwen", "samengevouwen"),
      required: "verplicht",
      invalid: Pair("ongeldig", "geldig"),
      place: "{index} van {count}"
    ),
    more: [
      .one: "nog {count} van {apps}",
      .other: "nog {count} van {apps}",
    ],
    missed: [
      .one: "{count} melding van {apps} gemist",
      .other: "{count} meldingen van {apps} gemist",
    ],
    bullets: [.one: "één bolletje", .other: "{count} bolletjes"],
    appList: AppList(comma: ", ", and: " en ", otherApps: "andere apps")
  )
}
