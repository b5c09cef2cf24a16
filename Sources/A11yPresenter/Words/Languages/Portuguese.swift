// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

extension OwnWords {
  static let portuguese = OwnWords(
    plurals: .noneAsOne,
    roles: Roles(
      secure: "seguro",
      textField: "campo de texto",
      searchField: "campo de pesquisa",
      button: "botão",
      link: "link",
      image: "imagem",
      key: "tecla",
      heading: "título",
      adjustable: "ajustável"
    ),
    states: States(
      selected: "selecionado",
      notSelected: "não selecionado",
      dimmed: "indisponível",
      available: "disponível"
    ),
    more: [
      .one: "mais {count} de {apps}",
      .other: "mais {count} de {apps}",
    ],
    missed: [
      .one: "{count} aviso de {apps} foi perdido",
      .other: "{count} avisos de {apps} foram perdidos",
    ],
    appList: AppList(comma: ", ", and: " e ", otherApps: "outros")
  )
}
