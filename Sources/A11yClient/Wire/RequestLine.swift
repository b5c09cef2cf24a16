// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// Requests as lines.
enum RequestLine {
  /// A request with these members beside `id` and `op`; without an id its success is silent.
  static func write(
    _ op: StaticString,
    id: Int64?,
    _ members: [JSONValue.Member],
    into line: inout ByteBuffer
  ) throws(ClientError) {
    begin(op, id: id, in: &line)
    for member in members {
      line.append(",")
      line.append(json: member.name)
      line.append(":")
      line.append(value: member.value)
    }
    try end(&line)
  }

  /// A publication.
  static func write(
    _ publication: OutgoingEvent,
    id: Int64?,
    into line: inout ByteBuffer
  ) throws(ClientError) {
    begin("publish", id: id, in: &line)
    if let acknowledgement = publication.acknowledgement {
      line.append(member: "ack", acknowledgement.rawValue)
    }
    if let dedupe = publication.dedupe { line.append(member: "dedupe", dedupe) }
    line.append(",\"event\":")
    line.append(text: publication.event.json)
    try end(&line)
  }

  private static func begin(_ op: StaticString, id: Int64?, in line: inout ByteBuffer) {
    line.clear()
    line.append("{")
    if let id { line.append(member: "id", id) }
    line.append(member: "op", op.description)
  }

  /// Ends the line, or says what the bus would: with a line that it does not read it could not
  /// tell whose it was.
  private static func end(_ line: inout ByteBuffer) throws(ClientError) {
    line.append("}")
    guard line.count <= Limits.lineBytes else {
      throw .refused(
        BusRefusal(
          code: "line.too-long",
          message: "expected at most \(Limits.lineBytes) bytes; got \(line.count)"
        )
      )
    }
  }
}

/// An event with how it is to be published.
struct OutgoingEvent: Sendable {
  let event: Event
  /// The event's type, as far as it has one.
  let type: String?
  let acknowledgement: AcknowledgementLevel?
  let dedupe: String?
  /// Nobody waits for what comes of it.
  let isPosted: Bool

  init(
    event: Event,
    acknowledgement: AcknowledgementLevel? = nil,
    dedupe: String? = nil,
    isPosted: Bool = false
  ) {
    // Written once, and then counted, sent and kept as it is.
    self.event = isPosted ? Event(checked: event.json) : event
    type = event.type
    self.acknowledgement = acknowledgement
    self.dedupe = dedupe
    self.isPosted = isPosted
  }

  /// An event in our own words, of which nobody asks the type.
  init(checked json: String) {
    event = Event(checked: json)
    type = nil
    acknowledgement = nil
    dedupe = nil
    isPosted = false
  }
}
