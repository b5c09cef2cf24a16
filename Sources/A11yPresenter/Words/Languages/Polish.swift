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
      adjustable: "regulowane"
    ),
    states: States(
      selected: "zaznaczone",
      notSelected: "niezaznaczone",
      dimmed: "wyszarzone",
      available: "dostępne"
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
    appList: AppList(comma: ", ", and: " i ", otherApps: "innych")
  )
}
