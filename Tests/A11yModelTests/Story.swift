// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yModel
import A11yTestKit
import A11yWire

/// A model that is told one entry after the other.
struct Story {
  private(set) var model = Model()
  private(set) var mono: Int64 = 0
  private(set) var lines: [String] = []
  private var conn: Int64 = 0

  /// A client that has sent its hello.
  struct Client {
    let conn: Int64
    let app: String
    let uid: Int
  }

  /// Begins with one connected app.
  init() {}

  mutating func join(_ app: String, uid: Int = 1_000, reader: Bool = false) -> Client {
    conn += 1
    let client = Client(conn: conn, app: app, uid: uid)
    let role = reader ? #","role":"reader""# : ""
    own(
      #"{"type":"client","state":"joined","app":"\#(app)","uid":\#(uid),"conn":\#(conn)\#(role)}"#
    )
    return client
  }

  /// Subscribes a reader to deliveries.
  mutating func listen(_ client: Client) {
    own(
      """
      {"type":"client","state":"listening","app":"\(client.app)","uid":\(client.uid),\
      "conn":\(client.conn)}
      """
    )
  }

  mutating func leave(_ client: Client) {
    own(
      """
      {"type":"client","state":"left","app":"\(client.app)","uid":\(client.uid),\
      "conn":\(client.conn),"reason":"disconnected"}
      """
    )
  }

  mutating func wait(_ seconds: Double) { mono += Int64(seconds * 1_000_000) }

  /// An entry of the daemon's own.
  mutating func own(_ event: String) {
    append(#""app":"a11yd","uid":0,"conn":0,"event":\#(event)"#)
  }

  mutating func tell(_ client: Client, _ event: String, dedupe: String = "") {
    append(
      """
      "app":"\(client.app)","uid":\(client.uid),"conn":\(client.conn)\(dedupe),"event":\(event)
      """
    )
  }

  mutating func window(_ client: Client, _ id: String, _ members: String) {
    tell(client, #"{"type":"window",\#(members),"window":"\#(id)"}"#)
  }

  mutating func elements(_ client: Client, _ window: String, _ members: String) {
    tell(client, #"{"type":"elements",\#(members),"window":"\#(window)"}"#)
  }

  private mutating func append(_ rest: String) {
    lines.append(
      #"{"seq":\#(lines.count + 1),"time":\#(mono),"mono":\#(mono),\#(rest),"crc":"00000000"}"#
    )
    Self.read(lines[lines.count - 1]) { model.apply($0) }
  }

  static func read(_ line: String, _ body: (JSONDocument) -> Void) {
    let reader = JSONReader(limit: line.utf8.count)
    do throws(JSONFault) {
      try reader.read(Array(line.utf8).span)
    } catch {
      fatalError("a line in a test is one: \(line): \(error)")
    }
    body(reader.document)
  }

  // MARK: Asking

  /// The state as clients are told of it.
  var state: JSON { get throws { try Self.state(model) } }

  static func state(_ model: Model) throws -> JSON {
    guard let epoch = Epoch(hex: String(repeating: "e", count: 32)) else { return .absent }
    var out = ByteBuffer(capacity: 0)
    let cursor = Cursor(epoch: epoch, seq: Seq(7))
    model.writeState(cursor: cursor, only: nil, into: &out) { $0.append("[]") }
    return try JSON(out.bytes.string)
  }

  /// The elements of a window, in the order of arrival.
  func elements(_ window: String) throws -> [JSON] {
    try replica(model, budget: .max).flatMap { line in
      let elements = try JSON(line)["state"]["elements"]
      return elements["window"].string == window ? elements["list"].list ?? [] : []
    }
  }

  func element(_ id: String, in window: String = "w") throws -> JSON {
    try elements(window).first { $0["id"].string == id } ?? .absent
  }

  func ids(_ window: String = "w") throws -> [String] {
    try elements(window).compactMap { $0["id"].string }
  }
}

/// The lines of a replica, written in slices.
func replica(_ model: Model, budget: Int) -> [String] {
  var replica = Replica(model)
  var lines: [String] = []
  var more = true
  while more {
    var out = ByteBuffer(capacity: 0)
    more = replica.write(into: &out, budget: budget)
    lines += out.bytes.string.split(separator: "\n").map(String.init)
  }
  return lines
}

/// The model restored from these lines; nil if one of them is none of a replica's.
func restored(_ lines: [String]) -> Model? {
  var model = Model()
  for line in lines {
    var isTaken = false
    Story.read(line) { isTaken = model.restore($0) }
    if !isTaken { return nil }
  }
  return model
}
