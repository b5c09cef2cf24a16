// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// The body of a publication: news, a change, an action or a report.
///
/// Begin with one of the static functions, and add fields that any event may have:
///
///     .announcement("Item was added", priority: .high).window("main").cause(.user)
///
/// The bus checks every field and answers a mistake with the field and what was expected there.
public struct Event: Hashable, Sendable {
  private enum Body: Hashable {
    case members([JSONValue.Member])
    /// The text as it was given, so that the log has it byte by byte.
    case raw(String)
  }

  private var body: Body

  /// An event of any type with the fields of that type.
  public init(type: String, _ fields: [JSONValue.Member] = []) {
    body = .members([.init("type", .string(type))] + fields)
  }

  /// An event that is already JSON: one strict object, on one line or several.
  public init(json: String) throws(ClientError) {
    var line = ByteBuffer(capacity: json.utf8.count)
    line.append(text: json)
    let reader = JSONReader(limit: line.count)
    do {
      try reader.read(line.bytes)
    } catch {
      throw .refused(BusRefusal(code: "json.invalid", field: "event", message: error.words))
    }
    self.init(checked: json)
  }

  /// An event that was read as JSON before.
  package init(checked json: String) {
    // JSON allows line breaks outside of strings alone, where they mean no more than blanks.
    let isOneLine = json.utf8.allSatisfy { $0 != 10 && $0 != 13 }
    body = .raw(
      isOneLine ? json : String(decoding: json.utf8.map { $0 < 32 ? 32 : $0 }, as: UTF8.self)
    )
  }

  /// The event as JSON on one line.
  public var json: String {
    switch body {
    case .raw(let text): text
    case .members(let members): JSONValue.object(members).description
    }
  }

  /// The same event with a field, as it stands on the wire, in place of one of that name.
  public func with(_ name: String, _ value: JSONValue) -> Event {
    var members = members
    members.removeAll { $0.name == name }
    members.append(.init(name, value))
    var event = self
    event.body = .members(members)
    return event
  }

  /// The type, if the event names one.
  var type: String? { members.first { $0.name == "type" }?.value.string }

  private var members: [JSONValue.Member] {
    switch body {
    case .members(let members): return members
    case .raw(let text):
      let reader = JSONReader(limit: text.utf8.count)
      // The text was read before; had it not been, the bus would refuse it.
      guard (try? reader.read(Array(text.utf8).span)) != nil else { return [] }
      return JSONValue(reader.document, reader.document.root).members ?? []
    }
  }
}

// Fields that any event may have.
extension Event {
  /// The same event in a window.
  public func window(_ id: String) -> Event { with("window", .string(id)) }

  /// The same event about an element.
  public func element(_ id: String) -> Event { with("element", .string(id)) }

  /// The same event with its cause.
  public func cause(_ cause: Cause) -> Event { with("cause", cause.json) }

  /// The same event with the seq of the `focus` entry that the app had seen.
  public func basis(_ seq: Int64) -> Event { with("basis", .integer(seq)) }

  /// The same event with a key: of several waiting events with one key, the newest counts.
  public func key(_ key: String) -> Event { with("key", .string(key)) }

  /// The same event, which expires unless its speech begins within this time.
  public func timeToLive(_ time: Duration) -> Event {
    with("ttl_ms", .integer(time.milliseconds))
  }

  /// The same event with a secret text, which must not be kept.
  public func sensitive() -> Event { with("sensitive", true) }

  /// The same event with the bridge through which it came, as in `atspi` or `notification`.
  public func origin(_ bridge: String) -> Event { with("origin", .string(bridge)) }

  /// The same event with the app's word on whether it is in the foreground.
  public func foreground(_ isInForeground: Bool) -> Event {
    with("foreground", .flag(isInForeground))
  }
}
