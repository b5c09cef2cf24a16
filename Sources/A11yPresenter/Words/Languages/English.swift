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
      adjustable: "adjustable",
      checkbox: "checkbox",
      columnHeader: "column header",
      comboBox: "combo box",
      dialog: "dialog",
      alertDialog: "alert dialog",
      cell: "cell",
      listItem: "list item",
      menuItem: "menu item",
      option: "option",
      progressBar: "progress bar",
      radio: "radio button",
      row: "row",
      rowHeader: "row header",
      slider: "slider",
      spinButton: "spin button",
      switch: "switch",
      tab: "tab",
      toggleButton: "toggle button",
      treeItem: "tree item"
    ),
    states: States(
      selected: "selected",
      notSelected: "not selected",
      dimmed: "dimmed",
      available: "available",
      checked: Pair("checked", "not checked"),
      partlyChecked: "partly checked",
      on: Pair("on", "off"),
      pressed: Pair("pressed", "not pressed"),
      expanded: Pair("expanded", "collapsed"),
      required: "required",
      invalid: Pair("invalid", "valid"),
      place: "{index} of {count}"
    ),
    more: [
      .one: "{count} more from {apps}",
      .other: "{count} more from {apps}",
    ],
    missed: [
      .one: "{count} announcement from {apps} was missed",
      .other: "{count} announcements from {apps} were missed",
    ],
    bullets: [.one: "bullet", .other: "{count} bullets"],
    appList: AppList(comma: ", ", and: " and ", otherApps: "other apps")
  )
}
