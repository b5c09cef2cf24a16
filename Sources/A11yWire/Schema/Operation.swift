// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The operations that a request can name.
public enum Operation: String, Sendable, CaseIterable {
  case hello, publish, subscribe, unsubscribe, state, explain, rules, reload, forget, ping, stats
  case describe

  /// The operation that `name` spells.
  public init?(_ name: Span<UInt8>) {
    if name.equals("publish") {
      self = .publish
      return
    }
    self.init(rawValue: name.string)
  }

  var isForPublishers: Bool {
    switch self {
    case .hello, .ping, .describe, .publish, .subscribe, .unsubscribe, .explain: true
    case .state, .rules, .reload, .forget, .stats: false
    }
  }

  /// The purpose of the operation in a sentence.
  public var summary: StaticString {
    switch self {
    case .hello: "Introduces the client; optional, once, and before any other request."
    case .publish: "Publishes an event."
    case .subscribe: "Has the bus send entries of the log, from any place in it."
    case .unsubscribe: "Ends the subscription of the connection."
    case .state:
      "Asks for focus, windows, reader and pending events, now or after an earlier entry."
    case .explain: "Asks what became of an entry, and why."
    case .rules: "Asks for the rules that are in force."
    case .reload: "Has the bus read its configuration and rules again, and is answered when it has."
    case .forget: "Takes the content of entries out of the log for good."
    case .ping: "Asks for the last seq; earlier events of the connection have theirs by then."
    case .stats: "Asks for counters and gauges of the bus."
    case .describe: "Asks for these schemas."
    }
  }
}

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

/// The members of a request that stand beside the fields of its operation.
public struct RequestHead {
  public fileprivate(set) var id: JSONIndex?
  public fileprivate(set) var operation: JSONIndex?
  /// The key of the only other member; nil where there is none, or more than one.
  public fileprivate(set) var otherKey: JSONIndex?
}

extension JSONDocument {
  /// The head of the request that the line is, found in one pass.
  public var requestHead: RequestHead {
    var head = RequestHead()
    var others = 0
    var key = root + 1
    while key < end(root) {
      switch envelopeMember(key) {
      case .id: head.id = key + 1
      case .operation: head.operation = key + 1
      case nil:
        head.otherKey = key
        others += 1
      }
      key = end(key + 1)
    }
    if others > 1 { head.otherKey = nil }
    return head
  }

  /// Whether a key is one of the two that every request may have.
  func isEnvelope(_ key: JSONIndex) -> Bool { envelopeMember(key) != nil }

  private enum EnvelopeMember {
    case id, operation
  }

  private func envelopeMember(_ key: JSONIndex) -> EnvelopeMember? {
    guard !isEscaped(key) else {
      return isKey(key, "id") ? .id : isKey(key, "op") ? .operation : nil
    }
    let name = raw(key)
    guard name.count == 2 else { return nil }
    switch (name[0], name[1]) {
    case (UInt8(ascii: "i"), UInt8(ascii: "d")): return .id
    case (UInt8(ascii: "o"), UInt8(ascii: "p")): return .operation
    default: return nil
    }
  }
}
