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
      adjustable: "aanpasbaar"
    ),
    states: States(
      selected: "geselecteerd",
      notSelected: "niet geselecteerd",
      dimmed: "grijs",
      available: "beschikbaar"
    ),
    more: [
      .one: "nog {count} van {apps}",
      .other: "nog {count} van {apps}",
    ],
    missed: [
      .one: "{count} melding van {apps} gemist",
      .other: "{count} meldingen van {apps} gemist",
    ],
    appList: AppList(comma: ", ", and: " en ", otherApps: "andere apps")
  )
}
