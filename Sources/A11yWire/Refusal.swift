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
}

/// An ordinary "no" to a request: which field, what was expected, what came.
public struct Refusal: Error, Equatable {
  public let code: RefusalCode
  public var field: String?
  public var message: String
  /// The daemon's epoch, or the last seq that it has, with which a program can go on.
  public var epoch: Epoch?
  public var last: Seq?

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
      if let epoch = refusal.epoch { $0.append(member: "epoch", epoch.hex) }
      if let last = refusal.last { $0.append(member: "last", last.number) }
    }
  }
}
