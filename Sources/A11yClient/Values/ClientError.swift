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

/// The bus's “no” to a request, with the mistake and its place.
public struct BusRefusal: Error, Hashable, Sendable {
  /// The kind of mistake, from the protocol's closed set, as in `field.invalid`.
  public let code: String
  /// The field that is wrong, as in `event.priority`.
  public let field: String?
  /// The expected and the actual, in words.
  public let message: String
  /// The time after which to ask again, where waiting helps.
  public let retryAfter: Duration?
  /// The last seq of the log, where a cursor lay beyond it.
  public let last: Int64?
  /// The epoch of the log, where a cursor was of another.
  public let epoch: String?

  init(
    code: String,
    field: String? = nil,
    message: String,
    retryAfter: Duration? = nil,
    last: Int64? = nil,
    epoch: String? = nil
  ) {
    self.code = code
    self.field = field
    self.message = message
    self.retryAfter = retryAfter
    self.last = last
    self.epoch = epoch
  }

  init(_ error: JSONValue) {
    self.init(
      code: error["code"]?.string ?? "internal",
      field: error["field"]?.string,
      message: error["msg"]?.string ?? "",
      retryAfter: error["retry_ms"]?.integer.map { .milliseconds($0) },
      last: error["last"]?.integer,
      epoch: error["epoch"]?.string
    )
  }
}

extension BusRefusal: CustomStringConvertible {
  /// The refusal as one line: code and field, then words.
  public var description: String { message.isEmpty ? grounds : "\(grounds): \(message)" }

  /// The code, and the field where there is one.
  package var grounds: String { field.map { "\(code), \($0)" } ?? code }
}
