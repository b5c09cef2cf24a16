// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Why the bus could not be asked, or what it answered instead of yes.
public enum ClientError: Error, Hashable, Sendable {
  /// Nobody listens at the path, or not for us; the reason is the system's.
  case unreachable(path: String, reason: String)
  /// The request was understood, and refused.
  case refused(BusRefusal)
  /// The bus closed the connection and said why.
  case dismissed(code: String, message: String)
  /// The connection broke; what was on its way may be on record or not.
  case disconnected(reason: String)
  /// No reply came in time; what was asked may still happen.
  case timedOut(after: Duration)
  /// What came is not what the protocol promises.
  case malformed(String)
}

extension ClientError: CustomStringConvertible {
  /// The error as a sentence.
  public var description: String {
    switch self {
    case .unreachable(let path, let reason): "Cannot reach a11yd at \(path): \(reason)."
    case .refused(let refusal):
      "The bus refused it (\(refusal.grounds))"
        + (refusal.message.isEmpty ? "." : ": \(refusal.message).")
    case .dismissed(let code, let message):
      "The bus closed the connection (\(code)): \(message)."
    case .disconnected(let reason): "The connection to the bus broke: \(reason)."
    case .timedOut(let time): "The bus did not answer within \(time.milliseconds) milliseconds."
    case .malformed(let line): "The bus sent something that is not understood: \(line)"
    }
  }
}
