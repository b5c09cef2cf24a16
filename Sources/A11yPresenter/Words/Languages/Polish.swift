// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

extension OwnWords {
  static let polish = OwnWords(
    plurals: .polish,
    roles: Roles(
      secure: "bezpieczne",
      textField: "pole tekstowe",
      searchField: "pole wyszukiwania",
      button: "przycisk",
      link: "odnośnik",
      image: "obraz",
      key: "klawisz",
      heading: "nagłówek",
      adjustable: "regulowane",
      checkbox: "pole wyboru",
      columnHeader: "nagłówek kolumny",
      comboBox: "pole kombi",
      dialog: "okno dialogowe",
      alertDialog: "okno ostrzeżenia",
      cell: "komórka",
      listItem: "element listy",
      menuItem: "element menu",
      option: "opcja",
      progressBar: "pasek postępu",
      radio: "przycisk opcji",
      row: "wiersz",
      rowHeader: "nagłówek wiersza",
      slider: "suwak",
      spinButton: "pole pokrętła",
      switch: "włącznik",
      tab: "karta",
      toggleButton: "przycisk przełączania",
      treeItem: "element drzewa"
    ),
    states: States(
      selected: "zaznaczone",
      notSelected: "niezaznaczone",
      dimmed: "wyszarzone",
      available: "dostępne",
      checked: Pair("oznaczone", "nieoznaczone"),
      partlyChecked: "częściowo oznaczone",
      on: Pair("włączone", "wyłączone"),
      pressed: Pair("wciśnięty", "niewciśnięty"),
      expanded: Pair("rozwinięte", "zwinięte"),
      required: "wymagane",
      invalid: Pair("nieprawidłowe", "prawidłowe"),
      place: "{index} z {count}"
    ),
    more: [
      .one: "jeszcze {count} z aplikacji {apps}",
      .few: "jeszcze {count} z aplikacji {apps}",
      .many: "jeszcze {count} z aplikacji {apps}",
    ],
    missed: [
      .one: "Pominięto {count} komunikat z aplikacji {apps}",
      .few: "Pominięto {count} komunikaty z aplikacji {apps}",
      .many: "Pominięto {count} komunikatów z aplikacji {apps}",
    ],
    bullets: [
      .one: "kropka",
      .few: "{count} kropki",
      .many: "{count} kropek",
    ],
    appList: AppList(comma: ", ", and: " i ", otherApps: "innych")
  )
}
