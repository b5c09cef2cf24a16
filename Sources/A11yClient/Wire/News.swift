// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// What a line from the bus says, copied out of it.
enum News {
  /// An entry, and the life of the numbering that it begins, if it tells of one.
  case entry(Entry, begins: String?)
  case mark(Mark)
  /// What came of a request; nil where it had no id.
  case reply(id: Int64?, Result<JSONValue, ClientError>)
  case unknownFields([String])
  /// The bus is about to close the connection, for this reason.
  case farewell(ClientError)

  init(_ kind: LineKind, _ document: borrowing JSONDocument) throws(ClientError) {
    switch kind {
    case .entry(let seq):
      self = .entry(try Entry(seq, document), begins: document.epochBegun)
    case .mark: self = .mark(try Mark(line: JSONValue(document, document.root)))
    case .reply(let id): self = .reply(id: id, document.answer)
    case .warning:
      let warning = JSONValue(document, document.root)["warn"]
      self = .unknownFields(warning?["fields"]?.list?.compactMap(\.string) ?? [])
    case .farewell: self = .farewell(document.farewell)
    }
  }
}

extension JSONValue {
  /// The cursor in a reply or mark, if there is one.
  var cursor: Cursor? { self["cursor"]?.string.flatMap { Cursor($0) } }
}

extension JSONDocument {
  /// The life of the numbering that an entry begins, if it tells of one.
  var epochBegun: String? {
    guard let event = member("event", of: root), let type = member("type", of: event),
      isKey(type, "opened"), let epoch = member("epoch", of: event)
    else { return nil }
    return stringIfAny(epoch)
  }

  /// What a reply says.
  var answer: Result<JSONValue, ClientError> {
    if let ok = member("ok", of: root) { return .success(JSONValue(self, ok)) }
    guard let error = member("err", of: root) else { return .failure(.malformed(text.string)) }
    return .failure(.refused(Refusal(JSONValue(self, error))))
  }

  /// Why the bus closes the connection.
  var farewell: ClientError {
    let bye = JSONValue(self, root)["bye"]
    return .dismissed(
      code: bye?["code"]?.string ?? "",
      message: bye?["msg"]?.string ?? ""
    )
  }
}
