// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A field of a request, by its name in the code; its raw value is its place in the schema.
public protocol RequestField: CaseIterable, RawRepresentable, Sendable where RawValue == Int {
  var field: Field { get }
}

public enum HelloField: Int, RequestField {
  case app, client, want, role, advice, reports, speech

  public var field: Field {
    switch self {
    case .app: Field("app", .label(bytes: Limits.nameBytes))
    case .client: Field("client", .label(bytes: Limits.nameBytes))
    case .want: Field("want", .list(.integer))
    case .role: Field("role", .oneOf(.role))
    case .advice: Field("advice", .flag)
    case .reports: Field("reports", .flag)
    case .speech: Field("speech", .integer(0...100))
    }
  }
}

public enum PublishField: Int, RequestField {
  case event, acknowledgement, dedupe

  public var field: Field {
    switch self {
    case .event: Field("event", .object(.event), required: true)
    case .acknowledgement: Field("ack", .oneOf(.acknowledgement))
    case .dedupe: Field("dedupe", .name(bytes: Limits.idBytes))
    }
  }
}

public enum SubscribeField: Int, RequestField {
  case from, filter, mode, state, durable

  public var field: Field {
    switch self {
    case .from: Field("from", .text(bytes: Limits.nameBytes))
    case .filter: Field("filter", .object(.filter))
    case .mode: Field("mode", .oneOf(.subscriptionMode))
    case .state: Field("state", .flag)
    case .durable: Field("durable", .flag)
    }
  }
}

public enum StateField: Int, RequestField {
  case at

  public var field: Field { Field("at", .seq) }
}

public enum ExplainField: Int, RequestField {
  case seq

  public var field: Field { Field("seq", .seq, required: true) }
}

public enum ForgetField: Int, RequestField {
  case apps, uids, before

  public var field: Field {
    switch self {
    case .apps: Field("apps", .list(.name(bytes: Limits.nameBytes)))
    case .uids: Field("uids", .list(.integer))
    case .before: Field("before", .integer(0...Int64.max))
    }
  }
}

extension Fields {
  /// The fields of a request.
  convenience init<F: RequestField>(_: F.Type, needsOneOf: [F] = []) {
    self.init(F.allCases.map(\.field), needsOneOf: needsOneOf.map(\.field.name))
  }

  public subscript(field: some RequestField) -> Field { all[field.rawValue] }
}

extension Slots {
  /// Where the value of a request's field stands; nil where the request does not have it.
  @inlinable
  public subscript(field: some RequestField) -> JSONIndex? { self[field.rawValue] }
}
