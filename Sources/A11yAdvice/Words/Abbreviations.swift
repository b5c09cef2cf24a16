// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Words that are written short and have no sound of their own.
enum Abbreviations {
  /// Units behind a number, with what they stand for.
  private static let units: [(WordKey, String)] = [
    ("bd", "bedrooms"), ("bds", "bedrooms"), ("bdr", "bedrooms"), ("bdrm", "bedrooms"),
    ("ba", "bathrooms"), ("bas", "bathrooms"), ("sqft", "square feet"), ("hr", "hours"),
    ("hrs", "hours"), ("yr", "years"), ("yrs", "years"), ("wk", "weeks"), ("wks", "weeks"),
    ("mos", "months"), ("pkgs", "packages"), ("msgs", "messages"), ("appts", "appointments"),
  ]

  /// Words that are short wherever they stand.
  private static let words: [(WordKey, String)] = [("w/o", "without")]

  static func unit(_ word: Span<UInt8>) -> String? { meaning(of: word, in: units) }

  static func meaning(_ word: Span<UInt8>) -> String? { meaning(of: word, in: words) }

  /// The meaning of a word by its letters as written, because “BD” is something else.
  private static func meaning(of word: Span<UInt8>, in table: [(WordKey, String)]) -> String? {
    // No known abbreviation is longer.
    guard word.count <= 5 else { return nil }
    let key = WordKey(asWritten: word)
    for (known, meaning) in table where known == key { return meaning }
    return nil
  }

  /// Words that a full stop belongs to, beside all of up to three letters.
  static let stopped: WordTable = [
    "abschn", "absatz", "approx", "assoc", "atty", "aufl", "blvd", "bros", "chap", "corp", "dept",
    "depts", "dipl", "dist", "evtl", "exkl", "govt", "incl", "inkl", "intl", "jahrh", "ltda",
    "misc",
    "mins", "orig", "prof", "prov", "sect", "secs", "sept", "supt", "univ", "verl", "vols", "zzgl",
    "capt", "cont", "dott", "engl", "hist", "illus", "phys", "pres", "resp", "trans", "mass",
    "calif",
    "conn", "penn", "tenn", "wash", "bzgl", "bspw", "gest", "gegr",
  ]

  /// Words behind which digits are told one by one.
  static let cues: WordTable = [
    "account", "artikelnummer", "bestellnummer", "bestellung", "code", "fax", "flight", "iban",
    "id",
    "invoice", "konto", "kontonummer", "kundennummer", "no", "nr", "number", "nummer", "order",
    "otp",
    "passcode", "phone", "pin", "plz", "postcode", "postleitzahl", "rechnung", "rechnungsnummer",
    "serial", "tan", "tel", "telefon", "ticket", "tracking", "zip", "zipcode",
  ]

  /// Before these a number is an amount.
  static let amounts: WordTable = [
    "of", "von", "to", "bis", "from", "than", "als", "about", "etwa",
  ]
}
