// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The closed set of error codes of protocol version 1.
public enum RefusalCode: String, Sendable, CaseIterable {
  case jsonInvalid = "json.invalid"
  case lineTooLong = "line.too-long"
  case opUnknown = "op.unknown"
  case fieldMissing = "field.missing"
  case fieldInvalid = "field.invalid"
  case typeUnknown = "type.unknown"
  case versionUnsupported = "version.unsupported"
  case roleDenied = "role.denied"
  case quotaExceeded = "quota.exceeded"
  case cursorInvalid = "cursor.invalid"
  case cursorEpoch = "cursor.epoch"
  case cursorFuture = "cursor.future"
  case seqUnknown = "seq.unknown"
  case storageDegraded = "storage.degraded"
  case shuttingDown = "shutting-down"
  case `internal` = "internal"

  /// The refusal with the way out of it, in a sentence, for `describe` and the manual.
  public var advice: StaticString {
    switch self {
    case .jsonInvalid: "The line is no JSON object as the bus reads them; mend the program."
    case .lineTooLong: "The line has more bytes than line_bytes, and was passed over; send less."
    case .opUnknown: "There is no such operation; describe names those that there are."
    case .fieldMissing: "A field that must be there is not; field names it."
    case .fieldInvalid: "A field has a value that it cannot have; msg tells the values it can have."
    case .typeUnknown: "There is no such type of event; describe names those that there are."
    case .versionUnsupported: "The bus speaks none of the versions in want; use another client."
    case .roleDenied: "The socket is not for this; msg names the socket that is."
    case .quotaExceeded:
      "A limit is reached; give something back, or wait for retry_ms if it is there."
    case .cursorInvalid: "The cursor cannot be read; begin with start or now."
    case .cursorEpoch: "The log does not know the epoch of the cursor; begin with start or now."
    case .cursorFuture: "The epoch of the cursor ended before it; go on from last."
    case .seqUnknown: "There is no such entry, not yet or not any more."
    case .storageDegraded: "The disk fails; msg tells whether the event was taken all the same."
    case .shuttingDown: "The bus is being stopped; connect again in a moment."
    case .internal: "The bus could not do it, by a fault of its own; connect again."
    }
  }
}

/// An ordinary "no" to a request: which field, what was expected, what came.
public struct Refusal: Error, Equatable {
  public let code: RefusalCode
  public var field: String?
  public var message: String
  /// The daemon's epoch, or the last seq that it has, with which a program can go on.
  public var epoch: Epoch?
  public var last: Seq?
  /// How long to wait, where waiting helps.
  public var retryMilliseconds: Int64?

  public init(_ code: RefusalCode, field: String? = nil, _ message: String) {
    self.code = code
    self.field = field
    self.message = message
  }

  /// The refusal as seen from the object around the field.
  public func inside(_ outer: String) -> Refusal {
    var refusal = self
    refusal.field = field.map { $0.hasPrefix("[") ? outer + $0 : outer + "." + $0 } ?? outer
    return refusal
  }
}

extension ByteBuffer {
  /// Appends `{"code":…,"field":…,"msg":…}`.
  public mutating func appendRefusal(_ refusal: Refusal) {
    object {
      $0.append(member: "code", refusal.code.rawValue)
      if let field = refusal.field { $0.append(member: "field", field) }
      $0.append(member: "msg", refusal.message)
      if let wait = refusal.retryMilliseconds { $0.append(member: "retry_ms", wait) }
      if let epoch = refusal.epoch { $0.append(member: "epoch", epoch.hex) }
      if let last = refusal.last { $0.append(member: "last", last.number) }
    }
  }
}
