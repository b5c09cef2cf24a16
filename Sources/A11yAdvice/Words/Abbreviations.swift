// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// What is written short and has no sound of its own.
enum Abbreviations {
  /// Units behind a number, with what they stand for.
  private static let units: [(StaticString, String)] = [
    ("bd", "bedrooms"), ("bds", "bedrooms"), ("bdr", "bedrooms"), ("bdrm", "bedrooms"),
    ("ba", "bathrooms"), ("bas", "bathrooms"), ("sqft", "square feet"), ("hr", "hours"),
    ("hrs", "hours"), ("yr", "years"), ("yrs", "years"), ("wk", "weeks"), ("wks", "weeks"),
    ("mos", "months"), ("pkgs", "packages"), ("msgs", "messages"), ("appts", "appointments"),
  ]

  /// Words that are short wherever they stand.
  private static let words: [(StaticString, String)] = [("w/o", "without")]

  /// Whether these bytes are one of the units.
  static func areThere(_ word: Span<UInt8>) -> Bool {
    guard word.count >= 2, word.count <= 5 else { return false }
    for (known, _) in units where word.equals(known) { return true }
    return false
  }

  static func unit(_ word: some StringProtocol) -> String? { meaning(of: word, in: units) }

  static func meaning(_ word: some StringProtocol) -> String? { meaning(of: word, in: words) }

  private static func meaning(
    of word: some StringProtocol,
    in table: [(StaticString, String)]
  ) -> String? {
    table.first { $0.0.description == word }?.1
  }

  /// Words that a full stop belongs to, beside all of up to three letters.
  static let stopped: Set<String> = [
    "abschn", "absatz", "approx", "assoc", "atty", "aufl", "blvd", "bros", "chap", "corp", "dept",
    "depts", "dipl", "dist", "evtl", "exkl", "govt", "incl", "inkl", "intl", "jahrh", "ltda",
    "misc",
    "mins", "orig", "prof", "prov", "sect", "secs", "sept", "supt", "univ", "verl", "vols", "zzgl",
    "capt", "cont", "dott", "engl", "hist", "illus", "phys", "pres", "resp", "trans", "mass",
    "calif",
    "conn", "penn", "tenn", "wash", "bzgl", "bspw", "gest", "gegr",
  ]

  /// Words behind which digits are told one by one.
  static let cues: Set<String> = [
    "account", "artikelnummer", "bestellnummer", "bestellung", "code", "fax", "flight", "iban",
    "id",
    "invoice", "konto", "kontonummer", "kundennummer", "no", "nr", "number", "nummer", "order",
    "otp",
    "passcode", "phone", "pin", "plz", "postcode", "postleitzahl", "rechnung", "rechnungsnummer",
    "serial", "tan", "tel", "telefon", "ticket", "tracking", "zip", "zipcode",
  ]

  /// Before these a number is an amount.
  static let amounts: Set<String> = [
    "of", "von", "to", "bis", "from", "than", "als", "about", "etwa",
  ]
}
