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
      adjustable: "регулируемый элемент"
    ),
    states: States(
      selected: "выбрано",
      notSelected: "не выбрано",
      dimmed: "неактивно",
      available: "доступно"
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
    appList: AppList(comma: ", ", and: " и ", otherApps: "других приложений")
  )
}
