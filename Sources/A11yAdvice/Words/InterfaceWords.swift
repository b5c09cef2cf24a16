// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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

  private static let english: WordTable = [
    "accept", "activate", "add", "allow", "apply", "archive", "attach", "back", "block", "bookmark",
    "browse", "cancel", "change", "check", "choose", "clear", "close", "collapse", "compose",
    "configure", "confirm", "connect", "continue", "copy", "create", "cut", "decline", "decrease",
    "delete", "deselect", "disable", "disconnect", "dismiss", "download", "duplicate", "edit",
    "eject", "enable", "enter", "erase", "exit", "expand", "export", "filter", "find", "finish",
    "follow", "forward", "go", "hide", "ignore", "import", "increase", "insert", "install",
    "invite",
    "join", "leave", "like", "load", "lock", "log", "login", "logout", "manage", "merge",
    "minimize",
    "maximize", "move", "mute", "next", "ok", "open", "paste", "pause", "pin", "play", "preview",
    "previous", "print", "quit", "record", "redo", "refresh", "register", "reject", "reload",
    "remove",
    "rename", "repeat", "replace", "reply", "report", "reset", "resize", "restart", "restore",
    "resume",
    "retry", "rotate", "save", "scan", "scroll", "search", "select", "send", "set", "share", "show",
    "shuffle", "sign", "sort", "start", "stop", "submit", "subscribe", "switch", "sync", "toggle",
    "undo", "unfollow", "uninstall", "unlock", "unmute", "unpin", "unsubscribe", "update",
    "upgrade",
    "upload", "use", "verify", "view", "zoom",
  ]

  private static let german: WordTable = [
    "abbrechen", "ablehnen", "abmelden", "abschicken", "absenden", "abspielen", "aktivieren",
    "aktualisieren", "akzeptieren", "anhalten", "anhängen", "anmelden", "annehmen", "antworten",
    "anwenden", "anzeigen", "ausblenden", "ausschneiden", "auswählen", "bearbeiten", "beenden",
    "bestätigen", "deaktivieren", "drucken", "duplizieren", "durchsuchen", "einblenden", "einfügen",
    "einladen", "entfernen", "entsperren", "ersetzen", "erstellen", "exportieren", "filtern",
    "fortsetzen", "herunterladen", "hinzufügen", "hochladen", "importieren", "installieren",
    "kopieren", "löschen", "neu", "öffnen", "schließen", "senden", "sichern", "sortieren",
    "speichern",
    "sperren", "starten", "stoppen", "suchen", "teilen", "trennen", "umbenennen", "verbinden",
    "verschieben", "verwerfen", "weiter", "weiterleiten", "wiederherstellen", "wiederholen",
    "zurück",
    "zurücksetzen",
  ]

  private static let englishThings: WordTable = [
    "about", "account", "address", "advanced", "all", "attachment", "attachments", "bookmarks",
    "brightness", "calendar", "category", "city", "comment", "comments", "contact", "contacts",
    "country", "date", "description", "details", "document", "documents", "email", "emails",
    "error",
    "favorites", "favourites", "feedback", "file", "files", "first", "folder", "folders", "friends",
    "gallery", "help", "history", "home", "inbox", "info", "information", "item", "items",
    "language",
    "last", "library", "location", "menu", "message", "messages", "more", "name", "new", "notes",
    "notification", "notifications", "options", "outbox", "page", "password", "payment", "phone",
    "photo", "photos", "preferences", "privacy", "profile", "properties", "recent", "security",
    "settings", "shopping", "status", "street", "subject", "summary", "tools", "trash", "unread",
    "user", "username", "volume", "website", "your", "zip",
  ]

  private static let germanThings: WordTable = [
    "adresse", "alle", "allgemein", "anhang", "anhänge", "benutzer", "benutzername", "beschreibung",
    "betreff", "bilder", "datei", "dateien", "datum", "details", "dokument", "dokumente",
    "einstellungen", "extras", "favoriten", "hilfe", "kalender", "kategorie", "kennwort",
    "kommentar",
    "kommentare", "konto", "kontakt", "kontakte", "land", "lautstärke", "lesezeichen", "mehr",
    "mitteilungen", "nachricht", "nachrichten", "neue", "neuer", "neues", "ordner", "ort",
    "papierkorb",
    "passwort", "postausgang", "posteingang", "seite", "sprache", "straße", "suche", "telefon",
    "verlauf", "vorname", "nachname", "warenkorb", "werkzeuge", "übersicht",
  ]
}
