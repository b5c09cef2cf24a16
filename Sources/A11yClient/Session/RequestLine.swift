// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// Requests as lines.
package enum RequestLine {
  /// Encodes a request with these members beside `id` and `op`; without an id its success is
  /// silent.
  package static func encode(
    _ op: StaticString,
    id: Int64?,
    _ members: [JSONValue.Member],
    into line: inout ByteBuffer
  ) throws(ClientError) {
    line.clear()
    line.object { line in
      appendHead(op, id: id, to: &line)
      for member in members {
        line.append(memberText: member.name)
        line.appendValue(member.value)
      }
    }
    try checkLength(of: line)
  }

  /// Encodes a publication.
  static func encode(
    _ publication: OutgoingEvent,
    id: Int64?,
    into line: inout ByteBuffer
  ) throws(ClientError) {
    line.clear()
    line.object { line in
      appendHead("publish", id: id, to: &line)
      if let acknowledgement = publication.acknowledgement {
        line.append(member: "ack", acknowledgement.rawValue)
      }
      if let dedupe = publication.dedupe { line.append(member: "dedupe", dedupe) }
      line.append(member: "event")
      line.append(text: publication.event.json)
    }
    try checkLength(of: line)
  }

  private static func appendHead(_ op: StaticString, id: Int64?, to line: inout ByteBuffer) {
    if let id { line.append(member: "id", id) }
    line.append(member: "op", op.description)
  }

  /// Refuses a line that is too long, in the bus's words: the bus would not read the line, and so
  /// could not name the request in its answer.
  private static func checkLength(of line: borrowing ByteBuffer) throws(ClientError) {
    guard line.count <= Limits.lineBytes else {
      throw .refused(
        BusRefusal(
          code: RefusalCode.lineTooLong.rawValue,
          message: "expected at most \(Limits.lineBytes) bytes; got \(line.count)"
        )
      )
    }
  }
}

/// An event, and the manner of publishing it.
struct OutgoingEvent: Sendable {
  let event: Event
  /// The event's type, if it has one.
  let type: String?
  let acknowledgement: AcknowledgementLevel?
  let dedupe: String?
  /// Whether no task waits for the answer.
  let isPosted: Bool

  init(
    event: Event,
    acknowledgement: AcknowledgementLevel? = nil,
    dedupe: String? = nil,
    isPosted: Bool = false
  ) {
    // A posted event is written once, and then counted, sent and kept as it is.
    self.event = isPosted ? Event(checked: event.json) : event
    type = event.type
    self.acknowledgement = acknowledgement
    self.dedupe = dedupe
    self.isPosted = isPosted
  }

  /// An event that we have written, whose type does not matter.
  init(checked json: String) {
    event = Event(checked: json)
    type = nil
    acknowledgement = nil
    dedupe = nil
    isPosted = false
  }
}
