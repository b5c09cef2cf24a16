// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Texts of apps: from five to three hundred characters, in four languages, with names, figures and
/// signs, and no two alike.
///
/// Texts that are alike would measure caches and short cuts.
enum Sayings {
  private static let longest = 300

  /// The text with this number, with `opening` in front of it.
  static func text(_ number: Int, opening: String = "") -> String {
    let wanted = 5 + (number &* 197) % (longest - 4)
    var text = opening
    var piece = number
    repeat {
      if !text.isEmpty { text += " " }
      text += sentence(piece, number)
      piece = piece &* 31 &+ 7
    } while text.unicodeScalars.count < wanted
    guard opening.isEmpty, text.unicodeScalars.count > wanted else { return text }
    // The number at the end makes even the shortest texts differ.
    let mark = "\(number)"
    let kept = text.unicodeScalars.prefix(max(0, wanted - mark.count - 1))
    return String(String.UnicodeScalarView(kept)) + " " + mark
  }

  private static func sentence(_ piece: Int, _ number: Int) -> String {
    let index = piece & 0xff_ffff
    let (first, second) = (names[index % names.count], names[(index / 7) % names.count])
    let count = index % 1_000
    return switch index % 16 {
    case 0: "\(first) shared \(count) photos with \(second)"
    case 1: "Download finished: invoice-\(index).pdf, \(count) kB"
    case 2: "Neue Nachricht von \(first) an \(second), \(count % 60) Minuten alt"
    case 3: "\(count) Einträge wurden gelöscht, der älteste vom \(count % 28 + 1). März"
    case 4: "\(first) a répondu à \(second) : « d’accord pour \(count % 24) h \(count % 60) »"
    case 5: "Connexion rétablie après \(count) secondes"
    case 6: "\(first) ha añadido \(count) canciones a la lista de \(second)"
    case 7: "Batería al \(count % 101) %, quedan \(count % 12) horas"
    case 8: "Saved"
    case 9: "🎉 \(first) won level \(count), \(second) is next 👏🏽"
    case 10: "Row \(count) of \(index), column \(count % 26)"
    case 11: "Temperature in \(second)’s room: \(count % 40).\(index % 10) °C"
    case 12: "Build \(index) failed in \(count) steps; see the log of \(first)"
    case 13: "Der Termin mit \(first) und \(second) beginnt in \(count % 90) Minuten ☕️"
    case 14: "Order \(index) for \(count % 300).\(index % 90 + 10) € is on its way to \(second)"
    default: "Page \(count) \(number)"
    }
  }

  private static let names = [
    "Anna", "Øystein", "José María", "Renée", "Jürgen", "Zoë", "Bartholomäus", "Li", "Siobhán",
    "Nguyễn Thị Hà", "Emil", "Дмитрий", "Ana", "François", "Ayşe", "Max",
  ]
}
