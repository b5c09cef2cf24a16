// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

extension OwnWords {
  static let french = OwnWords(
    plurals: .noneAsOne,
    roles: Roles(
      secure: "sécurisé",
      textField: "champ de texte",
      searchField: "champ de recherche",
      button: "bouton",
      link: "lien",
      image: "image",
      key: "touche",
      heading: "titre",
      adjustable: "ajustable",
      checkbox: "case à cocher",
      columnHeader: "en-tête de colonne",
      comboBox: "liste déroulante",
      dialog: "boîte de dialogue",
      alertDialog: "boîte de dialogue d’alerte",
      cell: "cellule",
      listItem: "élément de liste",
      menuItem: "élément de menu",
      option: "choix",
      progressBar: "barre de progression",
      radio: "bouton radio",
      row: "ligne",
      rowHeader: "en-tête de ligne",
      slider: "curseur",
      spinButton: "champ numérique",
      switch: "interrupteur",
      tab: "onglet",
      toggleButton: "bouton bascule",
      treeItem: "élément d’arborescence"
    ),
    states: States(
      selected: "sélectionné",
      notSelected: "non sélectionné",
      dimmed: "grisé",
      available: "disponible",
      checked: Pair("coché", "non coché"),
      partlyChecked: "partiellement coché",
      on: Pair("activé", "désactivé"),
      pressed: Pair("enfoncé", "non enfoncé"),
      expanded: Pair("développé", "réduit"),
      required: "obligatoire",
      invalid: Pair("non valide", "valide"),
      place: "{index} sur {count}"
    ),
    more: [
      .one: "{count} autre de {apps}",
      .other: "{count} autres de {apps}",
    ],
    missed: [
      .one: "{count} annonce de {apps} manquée",
      .other: "{count} annonces de {apps} manquées",
    ],
    bullets: [.one: "{count} puce", .other: "{count} puces"],
    appList: AppList(comma: ", ", and: " et ", otherApps: "d’autres applications")
  )
}
