// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
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
