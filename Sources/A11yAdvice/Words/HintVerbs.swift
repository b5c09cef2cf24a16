// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
    for verb in certain { verbs[WordKey(verb)] = Verb(third: third(of: verb), isDoubtful: false) }
    for verb in doubtful { verbs[WordKey(verb)] = Verb(third: third(of: verb), isDoubtful: true) }
    return verbs
  }()

  private static let certain = [
    "activate", "add", "adjust", "choose", "collapse", "confirm", "create", "deactivate", "delete",
    "disable", "dismiss", "edit", "enable", "expand", "hide", "insert", "install", "navigate",
    "remove",
    "rename", "replace", "select", "send", "submit", "uninstall",
  ]

  private static let doubtful = [
    "apply", "archive", "attach", "cancel", "change", "clear", "close", "copy", "cut", "decrease",
    "download", "duplicate", "enter", "export", "filter", "find", "go", "import", "increase",
    "launch",
    "load", "lock", "move", "mute", "open", "paste", "pause", "pin", "play", "print", "refresh",
    "reload",
    "reset", "restore", "resume", "save", "scroll", "search", "set", "share", "show", "sort",
    "start",
    "stop", "switch", "toggle", "turn", "undo", "update", "upload", "use", "view",
  ]

  /// Words that can follow an order but no noun.
  static let articles: WordTable = [
    "the", "a", "an", "this", "that", "these", "those", "your", "its", "it", "them", "another",
  ]

  /// Words before which the verb is the subject of the hint.
  static let predicates: WordTable = ["and", "or", "is", "are", "was", "mode"]

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
  static let germanHelpers: WordTable = [
    "kann", "können", "könnt", "kannst", "soll", "sollen", "muss", "müssen", "darf", "dürfen",
    "lässt",
    "lassen", "will", "wollen", "wird", "werden", "würde", "möchten", "mögen", "zu", "um", "zum",
    "beim",
    "hilft", "sie", "wir",
  ]
}
