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
      adjustable: "regolabile",
      checkbox: "casella di controllo",
      columnHeader: "intestazione di colonna",
      comboBox: "casella combinata",
      dialog: "finestra di dialogo",
      alertDialog: "finestra di avviso",
      cell: "cella",
      listItem: "elemento di elenco",
      menuItem: "voce di menu",
      option: "opzione",
      progressBar: "barra di avanzamento",
      radio: "pulsante di opzione",
      row: "riga",
      rowHeader: "intestazione di riga",
      slider: "cursore",
      spinButton: "campo numerico",
      switch: "interruttore",
      tab: "scheda",
      toggleButton: "pulsante di attivazione",
      treeItem: "elemento della struttura"
    ),
    states: States(
      selected: "selezionato",
      notSelected: "non selezionato",
      dimmed: "non disponibile",
      available: "disponibile",
      checked: Pair("spuntato", "non spuntato"),
      partlyChecked: "spuntato in parte",
      on: Pair("attivo", "non attivo"),
      pressed: Pair("premuto", "non premuto"),
      expanded: Pair("espanso", "compresso"),
      required: "obbligatorio",
      invalid: Pair("non valido", "valido"),
      place: "{index} di {count}"
    ),
    more: [
      .one: "{count} altro da {apps}",
      .other: "altri {count} da {apps}",
    ],
    missed: [
      .one: "Perso {count} avviso da {apps}",
      .other: "Persi {count} avvisi da {apps}",
    ],
    bullets: [.one: "un punto", .other: "{count} punti"],
    appList: AppList(comma: ", ", and: " e ", otherApps: "altre app")
  )
}
