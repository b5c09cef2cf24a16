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
      adjustable: "ajustable"
    ),
    states: States(
      selected: "seleccionado",
      notSelected: "no seleccionado",
      dimmed: "atenuado",
      available: "disponible"
    ),
    more: [
      .one: "{count} más de {apps}",
      .other: "{count} más de {apps}",
    ],
    missed: [
      .one: "Se ha perdido {count} aviso de {apps}",
      .other: "Se han perdido {count} avisos de {apps}",
    ],
    appList: AppList(comma: ", ", and: " y ", otherApps: "otras aplicaciones")
  )
}
