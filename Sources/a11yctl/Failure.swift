// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yClient
import A11yWire

/// Why the program ends otherwise than well, and what it says then.
struct Failure: Error, Equatable {
  /// What the shell gets to know, by the numbers of sysexits(3).
  enum Code: Int32 {
    /// Whoever read our output has read enough: nothing went wrong, and nobody is left to tell.
    case readerHasEnough = 0
    /// What was looked for was found: damage in the log, advice to apps.
    case found = 1
    case usage = 64
    case refused = 65
    case noInput = 66
    case unreachable = 69
    case fileIsThere = 73
    case inputOutput = 74
    case held = 75
    /// A mistake in a file that somebody has written.
    case configuration = 78
  }

  let code: Code
  let words: String?

  init(_ code: Code, _ words: String?) {
    self.code = code
    // The words repeat what was typed, and what strangers have sent.
    self.words = words.map(VisibleText.of)
  }

  static let readerHasEnough = Failure(.readerHasEnough, nil)

  /// What came of asking the bus, about an event of this type where it is one.
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
    return StartAdvice().words(path)
  }
}

/// Runs what asks the bus, so that whatever comes of it is told in one way.
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
