// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

extension OwnWords {
  static let arabic = OwnWords(
    plurals: .arabic,
    roles: Roles(
      secure: "آمن",
      textField: "حقل نص",
      searchField: "حقل بحث",
      button: "زر",
      link: "رابط",
      image: "صورة",
      key: "مفتاح",
      heading: "عنوان",
      adjustable: "قابل للضبط",
      checkbox: "خانة اختيار",
      columnHeader: "رأس عمود",
      comboBox: "مربع تحرير وسرد",
      dialog: "مربع حوار",
      alertDialog: "مربع تنبيه",
      cell: "خلية",
      listItem: "عنصر قائمة",
      menuItem: "عنصر قائمة أوامر",
      option: "خيار",
      progressBar: "شريط تقدم",
      radio: "زر اختيار",
      row: "صف",
      rowHeader: "رأس صف",
      slider: "شريط تمرير",
      spinButton: "حقل رقمي",
      switch: "مفتاح تشغيل",
      tab: "علامة تبويب",
      toggleButton: "زر تبديل",
      treeItem: "عنصر شجرة"
    ),
    states: States(
      selected: "محدد",
      notSelected: "غير محدد",
      dimmed: "غير مفعل",
      available: "متاح",
      checked: Pair("مؤشر عليه", "غير مؤشر عليه"),
      partlyChecked: "مؤشر عليه جزئيا",
      on: Pair("مشغل", "متوقف"),
      pressed: Pair("مضغوط", "غير مضغوط"),
      expanded: Pair("موسع", "مطوي"),
      required: "مطلوب",
      invalid: Pair("غير صالح", "صالح"),
      place: "{index} من {count}"
    ),
    more: [
      .zero: "لا مزيد من {apps}",
      .one: "واحد آخر من {apps}",
      .two: "اثنان آخران من {apps}",
      .few: "{count} أخرى من {apps}",
      .many: "{count} أخرى من {apps}",
      .other: "{count} أخرى من {apps}",
    ],
    missed: [
      .zero: "لم يفتك أي إعلان من {apps}",
      .one: "فاتك إعلان واحد من {apps}",
      .two: "فاتك إعلانان من {apps}",
      .few: "فاتتك {count} إعلانات من {apps}",
      .many: "فاتك {count} إعلانًا من {apps}",
      .other: "فاتك {count} إعلان من {apps}",
    ],
    bullets: [
      .zero: "لا نقاط",
      .one: "نقطة واحدة",
      .two: "نقطتان",
      .few: "{count} نقاط",
      .many: "{count} نقطة",
      .other: "{count} نقطة",
    ],
    appList: AppList(comma: "، ", and: " و", otherApps: "تطبيقات أخرى")
  )
}
