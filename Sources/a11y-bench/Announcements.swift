// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Some thousand publish lines, written once and sent over and over, each with another text.
///
/// The rules see no repetition, and code that looks at texts is not measured on the same text
/// twice.
final class Announcements: Sendable {
  /// The priority that an announcement names.
  enum Priority: String {
    /// None: the bus decides.
    case unsaid
    case low
    case high
    /// Low and high, line by line.
    case byTurns

    fileprivate func field(ofLine number: Int) -> String {
      switch self {
      case .unsaid: ""
      case .low, .high: #","priority":"\#(rawValue)""#
      case .byTurns: (number % 2 == 0 ? Self.low : .high).field(ofLine: number)
      }
    }
  }

  /// The safety of an event for which its publisher waits.
  enum Safety {
    /// The event survives the daemon; the default of the protocol.
    case written
    /// The event survives a loss of power.
    case synced

    /// The field of a request.
    fileprivate var field: String { self == .synced ? #""ack":"synced","# : "" }

    /// Whether a reply confirms it.
    ///
    /// The durability is the last member, unless advice follows, which no measured event earns.
    @inline(__always)
    func isGiven(by reply: UnsafeRawBufferPointer) -> Bool {
      let words: StaticString =
        self == .written ? #""durability":"written"}}"# : #""durability":"synced"}}"#
      return reply.holds(words, at: reply.count - 1 - words.utf8CodeUnitCount)
    }
  }

  let safety: Safety
  /// All lines, end to end.
  let bytes: [UInt8]
  /// The beginning of each line, and the end of the last one.
  private let starts: [Int]
  /// The place of the event in each line.
  private let eventStart: Int
  private static let lines = 4_096

  init(acknowledged safety: Safety = .written, priority: Priority = .unsaid) {
    var all: [UInt8] = []
    var starts = [0]
    for number in 0..<Self.lines {
      all += Self.line(Sayings.text(number), safety, priority.field(ofLine: number)).utf8
      starts.append(all.count)
    }
    bytes = all
    self.starts = starts
    self.safety = safety
    eventStart = Self.head(safety).utf8.count
  }

  /// The mean bytes of a line, its newline included.
  var meanLength: Int { bytes.count / Self.lines }

  /// The bytes of the first `number` lines of those that are sent over and over.
  func bytes(ofLines number: Int) -> Int {
    number / Self.lines * bytes.count + starts[number % Self.lines]
  }

  /// Whether an entry or a forwarded line is the line with this number, by all bytes of its event.
  @inline(__always)
  func isLine(_ number: Int, in received: UnsafeRawBufferPointer) -> Bool {
    let index = number % Self.lines
    return bytes.withUnsafeBytes { raw in
      let line = UnsafeRawBufferPointer(rebasing: raw[starts[index]..<starts[index + 1]])
      guard let own = line.baseAddress, let other = received.baseAddress else { return false }
      if received.count == line.count, memcmp(own, other, line.count) == 0 { return true }
      // `{"seq":…,"event":{…},"crc":"01234567"}`
      let event = line.count - eventStart - Self.lineEnd
      let start = received.count - Self.entryEnd - event
      return start > 0 && memcmp(own + eventStart, other + start, event) == 0
        && other.load(fromByteOffset: start - 1, as: UInt8.self) == UInt8(ascii: ":")
    }
  }

  /// The length of `}` and the newline behind an event that is published.
  private static let lineEnd = 2
  /// The length of all that is behind the event of an entry.
  private static let entryEnd = #","crc":"01234567"}"#.utf8.count + 1

  /// One publish line whose text begins with this moment, and goes on like no other.
  static func line(at nanoseconds: Int, priority: Priority = .unsaid) -> String {
    let moment = TimeWord.text(nanoseconds)
    let number = moment.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xffff_ffff }
    return line(Sayings.text(number, opening: moment), .written, priority.field(ofLine: number))
  }

  private static func line(_ text: String, _ safety: Safety, _ priority: String) -> String {
    head(safety) + #"{"type":"announcement","text":"\#(text)"\#(priority)}}"# + "\n"
  }

  private static func head(_ safety: Safety) -> String {
    #"{"id":1,"op":"publish",\#(safety.field)"event":"#
  }
}

/// A moment as a word, which travels in a text to be spoken.
///
/// Sixteen letters stand for sixteen hexadecimal digits; the sign before them occurs nowhere else
/// in a line, so that one `memchr` finds it.
enum TimeWord {
  private static let sign = UInt8(ascii: "@")
  private static let letters = 16

  static func text(_ nanoseconds: Int) -> String {
    var word = "@"
    for digit in (0..<letters).reversed() {
      let value = UInt8(truncatingIfNeeded: nanoseconds >> (4 * digit)) & 15
      word.unicodeScalars.append(Unicode.Scalar(UInt8(ascii: "a") + value))
    }
    return word
  }

  static func nanoseconds(in line: UnsafeRawBufferPointer) throws -> Int {
    guard let base = line.baseAddress,
      let hit = memchr(base, Int32(sign), line.count),
      hit - UnsafeMutableRawPointer(mutating: base) + letters < line.count
    else { throw BenchFailure("an event has lost its text: \(quote(line))") }
    return (1...letters).reduce(0) { value, place in
      value << 4 | Int(hit.load(fromByteOffset: place, as: UInt8.self) &- UInt8(ascii: "a"))
    }
  }
}

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
