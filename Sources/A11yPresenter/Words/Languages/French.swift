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
      heading: "en-tête",
      adjustable: "ajustable"
    ),
    states: States(
      selected: "sélectionné",
      notSelected: "non sélectionné",
      dimmed: "grisé",
      available: "disponible"
    ),
    more: [
      .one: "{count} autre de {apps}",
      .other: "{count} autres de {apps}",
    ],
    missed: [
      .one: "{count} annonce de {apps} manquée",
      .other: "{count} annonces de {apps} manquées",
    ],
    appList: AppList(comma: ", ", and: " et ", otherApps: "d'autres applications")
  )
}
