// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

extension OwnWords {
  static let spanish = OwnWords(
    plurals: .oneAlone,
    roles: Roles(
      secure: "seguro",
      textField: "campo de texto",
      searchField: "campo de búsqueda",
      button: "botón",
      link: "enlace",
      image: "imagen",
      key: "tecla",
      heading: "encabezado",
      adjustable: "ajustable",
      checkbox: "casilla",
      columnHeader: "encabezado de columna",
      comboBox: "cuadro combinado",
      dialog: "diálogo",
      alertDialog: "diálogo de alerta",
      cell: "celda",
      listItem: "elemento de lista",
      menuItem: "elemento de menú",
      option: "opción",
      progressBar: "barra de progreso",
      radio: "botón de opción",
      row: "fila",
      rowHeader: "encabezado de fila",
      slider: "control deslizante",
      spinButton: "campo numérico",
      switch: "interruptor",
      tab: "pestaña",
      toggleButton: "botón de alternancia",
      treeItem: "elemento de árbol"
    ),
    states: States(
      selected: "seleccionado",
      notSelected: "no seleccionado",
      dimmed: "atenuado",
      available: "disponible",
      checked: Pair("marcado", "no marcado"),
      partlyChecked: "marcado en parte",
      on: Pair("activado", "desactivado"),
      pressed: Pair("pulsado", "no pulsado"),
      expanded: Pair("expandido", "contraído"),
      required: "obligatorio",
      invalid: Pair("no válido", "válido"),
      place: "{index} de {count}"
    ),
    more: [
      .one: "{count} más de {apps}",
      .other: "{count} más de {apps}",
    ],
    missed: [
      .one: "Se ha perdido {count} aviso de {apps}",
      .other: "Se han perdido {count} avisos de {apps}",
    ],
    bullets: [.one: "un punto", .other: "{count} puntos"],
    appList: AppList(comma: ", ", and: " y ", otherApps: "otras aplicaciones")
  )
}
