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
      adjustable: "anpassbar"
    ),
    states: States(
      selected: "ausgewählt",
      notSelected: "nicht ausgewählt",
      dimmed: "ausgegraut",
      available: "verfügbar"
    ),
    more: [
      .one: "{count} weitere von {apps}",
      .other: "{count} weitere von {apps}",
    ],
    missed: [
      .one: "{count} Ansage von {apps} wurde verpasst",
      .other: "{count} Ansagen von {apps} wurden verpasst",
    ],
    appList: AppList(comma: ", ", and: " und ", otherApps: "anderen Apps")
  )
}
