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
      adjustable: "ajustável",
      checkbox: "caixa de seleção",
      columnHeader: "cabeçalho de coluna",
      comboBox: "caixa de combinação",
      dialog: "caixa de diálogo",
      alertDialog: "caixa de alerta",
      cell: "célula",
      listItem: "item de lista",
      menuItem: "item de menu",
      option: "opção",
      progressBar: "barra de progresso",
      radio: "botão de opção",
      row: "linha",
      rowHeader: "cabeçalho de linha",
      slider: "controle deslizante",
      spinButton: "campo numérico",
      switch: "interruptor",
      tab: "guia",
      toggleButton: "botão de alternância",
      treeItem: "item de árvore"
    ),
    states: States(
      selected: "selecionado",
      notSelected: "não selecionado",
      dimmed: "indisponível",
      available: "disponível",
      checked: Pair("marcado", "não marcado"),
      partlyChecked: "parcialmente marcado",
      on: Pair("ligado", "desligado"),
      pressed: Pair("pressionado", "não pressionado"),
      expanded: Pair("expandido", "recolhido"),
      required: "obrigatório",
      invalid: Pair("inválido", "válido"),
      place: "{index} de {count}"
    ),
    more: [
      .one: "mais {count} de {apps}",
      .other: "mais {count} de {apps}",
    ],
    missed: [
      .one: "{count} aviso de {apps} foi perdido",
      .other: "{count} avisos de {apps} foram perdidos",
    ],
    bullets: [.one: "{count} ponto", .other: "{count} pontos"],
    appList: AppList(comma: ", ", and: " e ", otherApps: "outros")
  )
}
