// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yRules
import A11yWire

/// A refusal of the bus, or our own in its stead, as a sentence.
enum RefusalWords {
  /// The refusal of an event of this type, or of another request where the type is nil.
  ///
  /// The bus answers an unknown type with the list of all types. Read aloud, that is a minute in
  /// which the one name that was meant is lost, so the sentence names only that.
  static func sentence(_ subject: String, _ refusal: BusRefusal, type: String?) -> String {
    if refusal.code == RefusalCode.typeUnknown.rawValue, let type {
      let unknown = unknownType(type, among: published)
      return subject == bus ? unknown : "\(subject): \(unknown)"
    }
    return sentence(subject, refusal.grounds, refusal.message)
  }

  static func sentence(_ subject: String, _ grounds: String, _ message: String) -> String {
    "\(subject) (\(grounds))" + (message.isEmpty ? "." : ": \(message).")
  }

  /// The beginning of the sentence for a request.
  static let bus = "The bus refused it"

  /// The types that can be published.
  static let published = EventType.allCases.map(\.rawValue)

  /// The types that can occur in the log.
  static let recorded = published + EventType.Own.allCases.map(\.rawValue)

  fileprivate static func unknownType(_ type: String, among known: [String]) -> String {
    let shown = VisibleText.of(String(String.UnicodeScalarView(type.unicodeScalars.prefix(40))))
    let meant = NearestName.to(type, among: known)
    return "There is no event type \(shown)"
      + (meant.map { "; did you mean \($0)?" } ?? ". a11yctl describe prints those that there are.")
  }
}

extension Form<String> {
  /// A type of events that can be published, or that can occur in the log.
  static var publishedType: Form { type(among: RefusalWords.published) }
  static var recordedType: Form { type(among: RefusalWords.recorded) }

  /// Refuses a type that is nearly one of `known`.
  ///
  /// Any other unknown type is left to the bus, which may be newer and know it.
  private static func type(among known: [String]) -> Form {
    Form { given, _ throws(Failure) in
      let type = given.value
      guard !known.contains(type), NearestName.to(type, among: known) != nil else { return type }
      throw Failure(.usage, RefusalWords.unknownType(type, among: known))
    }
  }

  /// A class of announcements; refuses one that is nearly one of those that the bus knows.
  static var speechClass: Form {
    Form { given, _ throws(Failure) in
      let (word, known) = (given.value, SpeechClass.known.map(\.word))
      guard !known.contains(word), let meant = NearestName.to(word, among: known) else {
        return word
      }
      throw Failure(.usage, "There is no class \(word); did you mean \(meant)?")
    }
  }
}
