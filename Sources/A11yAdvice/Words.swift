// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Words that mean the same to a check, found by their keys with about one comparison.
struct WordTable: Sendable, ExpressibleByStringLiteral {
  private let places: [WordKey]
  private let shift: UInt64

  init(_ words: [WordKey]) {
    var bits: UInt64 = 2
    while 1 << bits < 2 * words.count { bits += 1 }
    var places = [WordKey](repeating: .none, count: 1 << bits)
    for word in words {
      var place = Int(word.spread &>> (64 - bits))
      while places[place] != .none { place = (place + 1) & (places.count - 1) }
      places[place] = word
    }
    self.places = places
    shift = 64 - bits
  }

  init(stringLiteral list: String) { self.init(Self.words(list).map { WordKey($0) }) }

  /// The words of a list, which stand between spaces and line ends.
  static func words(_ list: String) -> [String] {
    list.split { $0 == " " || $0 == "\n" }.map(String.init)
  }

  func contains(_ word: WordKey) -> Bool {
    guard word != .none else { return false }
    var place = Int(word.spread &>> shift)
    while places[place] != .none {
      if places[place] == word { return true }
      place = (place + 1) & (places.count - 1)
    }
    return false
  }
}

/// A word in small letters as the number of its UTF-8 bytes, by which tables find it.
///
/// Words of more than sixteen bytes are in no table, and all have the key `none`.
struct WordKey: Hashable, Sendable {
  private var bytes: UInt128 = 0

  static let none = WordKey()
  private static let longest = 16

  private init() {}

  init(_ word: Span<UInt8>) { self.init(word, isFolded: true) }

  /// The key with capitals as written.
  init(asWritten word: Span<UInt8>) { self.init(word, isFolded: false) }

  private init(_ word: Span<UInt8>, isFolded: Bool) {
    var plain: UInt128 = 0
    var index = 0
    // Nearly all words are ASCII and short enough.
    while index < word.count, index < Self.longest {
      let byte = word[index]
      guard byte &- 1 < 0x7f else { break }
      let isCapital = isFolded && byte &- 65 < 26
      plain = plain &<< 8 | UInt128(isCapital ? byte | 0x20 : byte)
      index += 1
    }
    bytes = plain
    if index < word.count { appendFolded(word, from: index, isFolded: isFolded) }
  }

  private mutating func appendFolded(_ word: Span<UInt8>, from start: Int, isFolded: Bool) {
    var length = start
    var index = start
    while index < word.count {
      let byte = word[index]
      index += 1
      switch byte {
      case 65...90: appendByte(isFolded ? byte | 0x20 : byte, &length)
      case 0xc3 where index < word.count:
        let next = word[index]
        index += 1
        appendByte(0xc3, &length)
        // À to Þ without ×.
        let isCapital = next >= 0x80 && next <= 0x9e && next != 0x97
        appendByte(isFolded && isCapital ? next | 0x20 : next, &length)
      case 0xcc where index < word.count && word[index] == 0x88 && takeDots(&length): index += 1
      case 0:
        // A zero byte would look like the room that shorter words leave.
        length = Self.longest + 1
      default: appendByte(byte, &length)
      }
      guard length <= Self.longest else {
        bytes = 0
        return
      }
    }
  }

  private mutating func appendByte(_ byte: UInt8, _ length: inout Int) {
    bytes = bytes &<< 8 | UInt128(byte)
    length += 1
  }

  /// Joins two combining dots with the vowel before them, into ä, ö or ü.
  private mutating func takeDots(_ length: inout Int) -> Bool {
    let vowel = UInt8(truncatingIfNeeded: bytes)
    let letter: UInt8
    switch vowel {
    case UInt8(ascii: "a"): letter = 0xa4
    case UInt8(ascii: "o"): letter = 0xb6
    case UInt8(ascii: "u"): letter = 0xbc
    default: return false
    }
    bytes = (bytes &>> 8) &<< 16 | 0xc300 | UInt128(letter)
    length += 1
    return true
  }

  /// A number that spreads words over a table.
  var spread: UInt64 {
    UInt64(truncatingIfNeeded: bytes ^ bytes &>> 64) &* 0x9e37_79b9_7f4a_7c15
  }

  /// The word, for messages.
  var text: String {
    let letters = (0..<Self.longest).map { UInt8(truncatingIfNeeded: bytes >> (120 - 8 * $0)) }
    return String(decoding: letters.drop { $0 == 0 }, as: UTF8.self)
  }
}

extension WordKey: ExpressibleByStringLiteral {
  init(stringLiteral word: String) { self.init(word) }

  init(_ word: String) {
    self.init(word.utf8.span)
    precondition(self != .none, "\(word) is short enough for a table")
  }
}

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
  static let stopped: WordTable = """
    abschn absatz approx assoc atty aufl blvd bros chap corp dept depts dipl dist evtl exkl govt
    incl inkl intl jahrh ltda misc mins orig prof prov sect secs sept supt univ verl vols zzgl
    capt cont dott engl hist illus phys pres resp trans mass calif conn penn tenn wash bzgl bspw
    gest gegr
    """

  /// Words behind which digits are told one by one.
  static let cues: WordTable = """
    account artikelnummer bestellnummer bestellung code fax flight iban id invoice konto
    kontonummer kundennummer no nr number nummer order otp passcode phone pin plz postcode
    postleitzahl rechnung rechnungsnummer serial tan tel telefon ticket tracking zip zipcode
    """

  /// Before these a number is an amount.
  static let amounts: WordTable = "of von to bis from than als about etwa"
}

/// Words by which hints speak of gestures.
///
/// A gesture is meant only where the hint tells somebody to make it: there are settings for
/// “double tap to wake”, and tap water.
enum GestureWords {
  /// Orders at the beginning of a clause, before one of `follow` or the clause's end.
  static let orders: [[WordKey]] = [
    ["double", "tap"], ["double-tap"], ["doubletap"], ["triple", "tap"], ["triple-tap"],
    ["long", "press"], ["long-press"], ["press", "and", "hold"], ["tap", "and", "hold"], ["tap"],
    ["swipe"], ["flick"], ["pinch"], ["click"], ["double-click"], ["double", "click"],
  ]

  static let orderOpeners = WordTable(orders.map { $0[0] })

  static let follow: WordTable = """
    a across an and down from here it left on once or right the this to twice up with again
    anywhere
    """

  /// Words behind which a clause goes on as from its beginning.
  static let clauseOpeners: WordTable = "you then please bitte dann doppelt zweimal"

  /// Words before a gesture as a tool: “with a swipe”.
  static let tools: WordTable = "with by use via"

  static let gerunds: WordTable = """
    tapping double-tapping swiping flicking pinching clicking double-clicking
    """

  /// Words that ask for a gesture at the beginning of a clause.
  static let german: WordTable = """
    doppeltippen doppelklicken doppelklick doppeltipp tippe tippen wische wischen klicke klicken
    """

  /// Words that go on behind such a word, which may mean other things, too.
  static let germanFollow: WordTable = "sie zum um auf hier nach doppelt zweimal und mit dann"
}

/// Verbs that hints begin with, in the form that gives an order and in the one that says what
/// happens.
enum HintVerbs {
  struct Verb {
    let third: String
    /// Whether the verb is a noun or an adjective, too, and an order only before an article: “Open
    /// the file”, but “Open files are shown”.
    let isDoubtful: Bool
  }

  static let english: [WordKey: Verb] = {
    var verbs: [WordKey: Verb] = [:]
    for (list, isDoubtful) in [(certain, false), (doubtful, true)] {
      for verb in WordTable.words(list) {
        verbs[WordKey(verb)] = Verb(third: third(of: verb), isDoubtful: isDoubtful)
      }
    }
    return verbs
  }()

  private static let certain = """
    activate add adjust choose collapse confirm create deactivate delete disable dismiss edit
    enable expand hide insert install navigate remove rename replace select send submit uninstall
    """

  private static let doubtful = """
    apply archive attach cancel change clear close copy cut decrease download duplicate enter
    export filter find go import increase launch load lock move mute open paste pause pin play
    print refresh reload reset restore resume save scroll search set share show sort start stop
    switch toggle turn undo update upload use view
    """

  /// Words that can follow an order but no noun.
  static let articles: WordTable = "the a an this that these those your its it them another"

  /// Words before which the verb is the subject of the hint.
  static let predicates: WordTable = "and or is are was mode"

  private static func third(of verb: String) -> String {
    let capital = verb.prefix(1).uppercased() + verb.dropFirst()
    if verb == "go" || verb.hasSuffix("ss") || verb.hasSuffix("ch") || verb.hasSuffix("sh") {
      return capital + "es"
    }
    let vowels: [Character] = ["a", "e", "i", "o", "u"]
    if verb.hasSuffix("y"), let before = verb.dropLast().last, !vowels.contains(before) {
      return capital.dropLast() + "ies"
    }
    return capital + "s"
  }

  /// The form to use for each infinitive, which is also a polite order; `…` is the rest of the
  /// hint.
  static let german: [WordKey: String] = [
    "abbrechen": "Bricht … ab", "abspielen": "Spielt … ab", "aktivieren": "Aktiviert",
    "aktualisieren": "Aktualisiert", "anzeigen": "Zeigt … an", "ausblenden": "Blendet … aus",
    "auswählen": "Wählt … aus", "bearbeiten": "Bearbeitet", "beenden": "Beendet",
    "deaktivieren": "Deaktiviert", "drucken": "Druckt", "einblenden": "Blendet … ein",
    "einfügen": "Fügt … ein", "entfernen": "Entfernt", "erstellen": "Erstellt",
    "herunterladen": "Lädt … herunter", "hinzufügen": "Fügt … hinzu", "kopieren": "Kopiert",
    "löschen": "Löscht", "öffnen": "Öffnet", "schließen": "Schließt", "senden": "Sendet",
    "speichern": "Speichert", "starten": "Startet", "suchen": "Sucht", "teilen": "Teilt",
    "verschieben": "Verschiebt", "ändern": "Ändert",
  ]

  /// Words of sentences that may end with an infinitive.
  static let germanHelpers: WordTable = """
    kann können könnt kannst soll sollen muss müssen darf dürfen lässt lassen will wollen wird
    werden würde möchten mögen zu um zum beim hilft sie wir
    """
}

/// Words with which labels of controls begin, and which are nobody's name.
///
/// Words that are names, too, are left out: Mark, Bill, Will, Rob, Sue, Grant, Drew, Chase, Skip.
enum InterfaceWords {
  /// Whether a word names an action of controls.
  static func isAction(_ word: WordKey, _ language: Language) -> Bool {
    language.mayBe(.english) && english.contains(word)
      || language.mayBe(.german) && german.contains(word)
  }

  /// Whether a word names an action or a subject of controls.
  static func isKnown(_ word: WordKey, _ language: Language) -> Bool {
    isAction(word, language) || language.mayBe(.english) && englishThings.contains(word)
      || language.mayBe(.german) && germanThings.contains(word)
  }

  private static let english: WordTable = """
    accept activate add allow apply archive attach back block bookmark browse cancel change check
    choose clear close collapse compose configure confirm connect continue copy create cut decline
    decrease delete deselect disable disconnect dismiss download duplicate edit eject enable enter
    erase exit expand export filter find finish follow forward go hide ignore import increase
    insert install invite join leave like load lock log login logout manage merge minimize
    maximize move mute next ok open paste pause pin play preview previous print quit record redo
    refresh register reject reload remove rename repeat replace reply report reset resize restart
    restore resume retry rotate save scan scroll search select send set share show shuffle sign
    sort start stop submit subscribe switch sync toggle undo unfollow uninstall unlock unmute
    unpin unsubscribe update upgrade upload use verify view zoom
    """

  private static let german: WordTable = """
    abbrechen ablehnen abmelden abschicken absenden abspielen aktivieren aktualisieren akzeptieren
    anhalten anhängen anmelden annehmen antworten anwenden anzeigen ausblenden ausschneiden
    auswählen bearbeiten beenden bestätigen deaktivieren drucken duplizieren durchsuchen
    einblenden einfügen einladen entfernen entsperren ersetzen erstellen exportieren filtern
    fortsetzen herunterladen hinzufügen hochladen importieren installieren kopieren löschen neu
    öffnen schließen senden sichern sortieren speichern sperren starten stoppen suchen teilen
    trennen umbenennen verbinden verschieben verwerfen weiter weiterleiten wiederherstellen
    wiederholen zurück zurücksetzen
    """

  private static let englishThings: WordTable = """
    about account address advanced all attachment attachments bookmarks brightness calendar
    category city comment comments contact contacts country date description details document
    documents email emails error favorites favourites feedback file files first folder folders
    friends gallery help history home inbox info information item items language last library
    location menu message messages more name new notes notification notifications options outbox
    page password payment phone photo photos preferences privacy profile properties recent
    security settings shopping status street subject summary tools trash unread user username
    volume website your zip
    """

  private static let germanThings: WordTable = """
    adresse alle allgemein anhang anhänge benutzer benutzername beschreibung betreff bilder datei
    dateien datum details dokument dokumente einstellungen extras favoriten hilfe kalender
    kategorie kennwort kommentar kommentare konto kontakt kontakte land lautstärke lesezeichen
    mehr mitteilungen nachricht nachrichten neue neuer neues ordner ort papierkorb passwort
    postausgang posteingang seite sprache straße suche telefon verlauf vorname nachname warenkorb
    werkzeuge übersicht
    """
}

/// A word for the role of an element, which its traits name already.
struct RoleWord {
  enum Kind {
    /// The word means the control and nothing else, wherever it stands.
    case plain
    /// The word is also a name, a thing, a key on a keyboard. Written small it means the control,
    /// unless a thing stands before it; with a capital only behind an action.
    case common
    /// The same as `common`, but behind an action the word is its object: “Copy link”.
    case object
    /// The word stands at the beginning.
    case opening
  }

  let trait: StaticString
  let traits: TraitSet
  let word: String
  /// The words of `word`.
  let parts: [WordKey]
  let kind: Kind
  let language: Language

  /// The traits that a label can name.
  static let traits = TraitSet(bits: all.reduce(0) { $0 | $1.traits.bits })

  /// All words, by which traits they name.
  static let all: [RoleWord] =
    of(
      .english,
      .common,
      [("button", "button"), ("adjustable", "slider"), ("keyboard-key", "key")]
    )
    + of(.english, .object, [("link", "link")])
    + of(
      .english,
      .plain,
      [
        ("search-field", "search field"), ("search-field", "search box"),
        ("search-field", "search bar"), ("text-field", "text field"), ("text-field", "text box"),
        ("text-field", "edit box"), ("text-field", "edit field"), ("text-field", "input field"),
      ]
    )
    + of(.english, .opening, [("image", "image of")])
    + of(.german, .common, [("button", "button"), ("button", "knopf")])
    + of(
      .german,
      .plain,
      [
        ("button", "schaltfläche"), ("search-field", "suchfeld"), ("search-field", "suchleiste"),
        ("text-field", "textfeld"), ("text-field", "eingabefeld"), ("adjustable", "schieberegler"),
      ]
    )
    + of(.german, .opening, [("image", "bild von")])

  private static func of(
    _ language: Language,
    _ kind: Kind,
    _ words: [(StaticString, String)]
  ) -> [RoleWord] {
    words.map { trait, word in
      RoleWord(
        trait: trait,
        traits: TraitSet(named: [trait.description]),
        word: word,
        parts: word.split(separator: " ").map { WordKey(String($0)) },
        kind: kind,
        language: language
      )
    }
  }

  /// Whether a word before that of a role makes it a thing: “Power button”, “Public key”.
  static func isThing(_ word: WordKey, of trait: StaticString) -> Bool {
    switch trait.description {
    case "button": buttons.contains(word)
    case "keyboard-key": keys.contains(word)
    default: false
    }
  }

  private static let buttons: WordTable = """
    action belly camera crown door green hardware headset home left middle mouse panic physical
    power radio red remote right shutter side volume
    """

  private static let keys: WordTable = "foreign house primary private public"

  /// Words with which a label speaks of a control instead of naming one.
  static let articles: WordTable = """
    a an the this that my your our for of with and or ein eine einen einem der die das den dem
    diese dieser mit und oder für
    """

  /// The most words of a label; longer ones are titles or texts.
  static let longest = 4
}
