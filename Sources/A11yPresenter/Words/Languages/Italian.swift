// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

extension OwnWords {
  static let italian = OwnWords(
    plurals: .oneAlone,
    roles: Roles(
      secure: "sicuro",
      textField: "campo di testo",
      searchField: "campo di ricerca",
      button: "pulsante",
      link: "collegamento",
      image: "immagine",
      key: "tasto",
      heading: "intestazione",
      adjustable: "regolabile"
    ),
    states: States(
      selected: "selezionato",
      notSelected: "non selezionato",
      dimmed: "non disponibile",
      available: "disponibile"
    ),
    more: [
      .one: "{count} altro da {apps}",
      .other: "altri {count} da {apps}",
    ],
    missed: [
      .one: "Perso {count} avviso da {apps}",
      .other: "Persi {count} avvisi da {apps}",
    ],
    appList: AppList(comma: ", ", and: " e ", otherApps: "altre app")
  )
}
