// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// The content of a line from the bus, copied out of it.
enum News {
  /// An entry, whose cursor does not know its epoch yet.
  case entry(Entry)
  case mark(SubscriptionMark)
  /// The answer to a request; the id is nil where the request had none.
  case reply(id: Int64?, Result<JSONValue, ClientError>)
  case unknownFields([String])
  /// The bus is about to close the connection, for this reason.
  case farewell(ClientError)

  init(_ kind: LineKind, _ document: borrowing JSONDocument) throws(ClientError) {
    switch kind {
    case .entry(let seq): self = .entry(try Entry(seq, document))
    case .mark: self = .mark(try SubscriptionMark(document))
    case .reply(let id): self = .reply(id: id, document.answer)
    case .warning: self = .unknownFields(document.unknownFields)
    case .farewell: self = .farewell(document.farewell)
    }
  }
}

extension JSONValue {
  /// The cursor in a reply or mark, if there is one.
  var cursor: LogCursor? { self["cursor"]?.string.flatMap { LogCursor($0) } }
}

extension JSONDocument {
  /// The answer in a reply.
  package var answer: Result<JSONValue, ClientError> {
    if let ok = member("ok", of: root) { return .success(JSONValue(self, ok)) }
    guard let error = member("err", of: root) else { return .failure(.malformed(text.string)) }
    return .failure(.refused(BusRefusal(JSONValue(self, error))))
  }

  /// The fields that a warning names.
  var unknownFields: [String] {
    JSONValue(self, root)["warn"]?["fields"]?.list?.compactMap(\.string) ?? []
  }

  /// The bus's reason for closing the connection.
  package var farewell: ClientError {
    let bye = JSONValue(self, root)["bye"]
    return .dismissed(
      code: bye?["code"]?.string ?? "",
      message: bye?["msg"]?.string ?? ""
    )
  }
}
