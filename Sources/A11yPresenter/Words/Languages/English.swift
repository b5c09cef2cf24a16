// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

extension OwnWords {
  static let english = OwnWords(
    plurals: .oneAlone,
    roles: Roles(
      secure: "secure",
      textField: "text field",
      searchField: "search field",
      button: "button",
      link: "link",
      image: "image",
      key: "key",
      heading: "heading",
      adjustable: "adjustable"
    ),
    states: States(
      selected: "selected",
      notSelected: "not selected",
      dimmed: "dimmed",
      available: "available"
    ),
    more: [
      .one: "{count} more from {apps}",
      .other: "{count} more from {apps}",
    ],
    missed: [
      .one: "{count} announcement from {apps} was missed",
      .other: "{count} announcements from {apps} were missed",
    ],
    appList: AppList(comma: ", ", and: " and ", otherApps: "other apps")
  )
}
