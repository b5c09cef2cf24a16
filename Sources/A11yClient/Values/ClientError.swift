// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The reason why the bus could not be asked, or its refusal.
public enum ClientError: Error, Hashable, Sendable {
  /// Nobody listens at the path, or we may not connect; the reason is the system's.
  case unreachable(path: String, reason: String)
  /// The bus understood the request, and refused it.
  case refused(BusRefusal)
  /// The bus closed the connection and said why.
  case dismissed(code: String, message: String)
  /// The connection broke; events under way may be on record or not.
  case disconnected(reason: String)
  /// No reply came in time; the request may still take effect.
  case timedOut(after: Duration)
  /// A line came that the protocol does not allow.
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
