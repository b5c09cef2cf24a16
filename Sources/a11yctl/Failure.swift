// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yClient
import A11yWire

/// The end of the program with an exit code and, mostly, a sentence.
struct Failure: Error, Equatable {
  /// The exit codes, after sysexits(3).
  enum Code: Int32 {
    /// The reader of our output has gone: nothing went wrong, and nobody is left to tell.
    case readerHasEnough = 0
    /// Something was found: damage in the log, advice to apps.
    case found = 1
    case usage = 64
    case refused = 65
    case noInput = 66
    case unreachable = 69
    case fileIsThere = 73
    case inputOutput = 74
    case held = 75
    /// A file of configuration or rules has a mistake.
    case configuration = 78
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
