// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

extension OwnWords {
  static let russian = OwnWords(
    plurals: .russian,
    roles: Roles(
      secure: "защищено",
      textField: "текстовое поле",
      searchField: "поле поиска",
      button: "кнопка",
      link: "ссылка",
      image: "изображение",
      key: "клавиша",
      heading: "заголовок",
      adjustable: "регулируемый элемент",
      checkbox: "флажок",
      columnHeader: "заголовок столбца",
      comboBox: "комбинированный список",
      dialog: "диалог",
      alertDialog: "предупреждение",
      cell: "ячейка",
      listItem: "элемент списка",
      menuItem: "пункт меню",
      option: "вариант",
      progressBar: "индикатор выполнения",
      radio: "радиокнопка",
      row: "строка",
      rowHeader: "заголовок строки",
      slider: "ползунок",
      spinButton: "поле счётчика",
      switch: "выключатель",
      tab: "вкладка",
      toggleButton: "кнопка-переключатель",
      treeItem: "элемент дерева"
    ),
    states: States(
      selected: "выбрано",
      notSelected: "не выбрано",
      dimmed: "неактивно",
      available: "доступно",
      checked: Pair("отмечено", "не отмечено"),
      partlyChecked: "отмечено частично",
      on: Pair("включено", "выключено"),
      pressed: Pair("нажата", "не нажата"),
      expanded: Pair("развёрнуто", "свёрнуто"),
      required: "обязательно",
      invalid: Pair("неверное значение", "верное значение"),
      place: "{index} из {count}"
    ),
    more: [
      .one: "ещё {count} от {apps}",
      .few: "ещё {count} от {apps}",
      .many: "ещё {count} от {apps}",
    ],
    missed: [
      .one: "Пропущено {count} сообщение от {apps}",
      .few: "Пропущено {count} сообщения от {apps}",
      .many: "Пропущено {count} сообщений от {apps}",
    ],
    bullets: [
      .one: "{count} точка",
      .few: "{count} точки",
      .many: "{count} точек",
    ],
    appList: AppList(comma: ", ", and: " и ", otherApps: "других приложений")
  )
}
