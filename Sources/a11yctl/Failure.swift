// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yRules
import A11yWire

/// The end of the program with an exit code and, mostly, a sentence.
struct Failure: Error, Equatable {
  /// An exit code; those with a name are after sysexits(3).
  struct Code: Equatable {
    let rawValue: Int32

    /// The reader of our output has gone: nothing went wrong, and nobody is left to tell.
    static let readerHasEnough = Code(rawValue: 0)
    /// Something was found: damage in the log, advice to apps, a difference.
    static let found = Code(rawValue: 1)
    static let usage = Code(rawValue: 64)
    static let refused = Code(rawValue: 65)
    static let noInput = Code(rawValue: 66)
    static let unreachable = Code(rawValue: 69)
    static let fileIsThere = Code(rawValue: 73)
    static let inputOutput = Code(rawValue: 74)
    static let held = Code(rawValue: 75)
    /// A file of configuration or rules has a mistake.
    static let configuration = Code(rawValue: 78)
  }

  let code: Code
  let words: String?

  init(_ code: Code, _ words: String?) {
    self.code = code
    // The words may quote the command line and texts of strangers.
    self.words = words.map(VisibleText.of)
  }

  static let readerHasEnough = Failure(.readerHasEnough, nil)

  /// The failure of a request, about an event of this type if it has one.
  init(_ error: ClientError, type: String? = nil) {
    let words = VisibleText.of("\(error)")
    switch error {
    case .unreachable(let path, let reason):
      self.init(.unreachable, "\(words) \(Self.advice(path, reason))")
    case .refused(let refusal):
      let sentence = RefusalWords.sentence(RefusalWords.bus, refusal, type: type)
      self.init(.refused, VisibleText.of(sentence))
    case .dismissed, .disconnected, .timedOut: self.init(.unreachable, words)
    case .malformed: self.init(.inputOutput, words)
    }
  }

  private static func advice(_ path: String, _ reason: String) -> String {
    if reason == "permission denied" {
      return "It may be another user's; --socket or A11YD_SOCKET can name another."
    }
    return StartAdvice().advice(for: path)
  }
}

/// The answer of the bus at a path to a request.
func ask(
  _ path: String,
  _ operation: StaticString,
  _ fields: [JSONValue.Member] = [],
  timeout: Duration = BusConnection.patience
) throws(Failure) -> JSONValue {
  try asking { () throws(ClientError) in
    try BusConnection(path: path).request(operation, fields, timeout: timeout)
  }
}

/// Runs requests to the bus, and turns their errors into failures.
func asking<Answer>(
  about type: String? = nil,
  _ body: () throws(ClientError) -> Answer
) throws(Failure) -> Answer {
  do throws(ClientError) {
    return try body()
  } catch {
    throw Failure(error, type: type)
  }
}

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
    let question = NearestName.question(type, among: known)
    return "There is no event type \(shown)"
      + (question.isEmpty ? ". a11yctl describe prints those that there are." : question)
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
    Form(words: known) { given, _ throws(Failure) in
      let type = given.value
      guard !known.contains(type), NearestName.to(type, among: known) != nil else { return type }
      throw Failure(.usage, RefusalWords.unknownType(type, among: known))
    }
  }

  /// A class of announcements; refuses one that is nearly one of those that the bus knows.
  static var speechClass: Form {
    let known = SpeechClass.known.map(\.word)
    return Form(words: known) { given, _ throws(Failure) in
      let word = given.value
      let question = NearestName.question(word, among: known)
      guard !known.contains(word), !question.isEmpty else { return word }
      throw Failure(.usage, "There is no class \(word)\(question)")
    }
  }
}
