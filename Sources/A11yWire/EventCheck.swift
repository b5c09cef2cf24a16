// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The result of writing an event down.
public struct WrittenEvent {
  /// The stored event says all that its line said, in the same order.
  public let isAsGiven: Bool
  /// A secret of the event was left out.
  public let isSecret: Bool
  /// It has the words of a screen reader that speaks through the bus.
  public let isReading: Bool
  /// Where its fields stand in the line.
  public let slots: Slots
  // Seqs that the event refers to; none of them may lie in the future.
  public let cause: Seq?
  public let basis: Seq?
  public let of: Seq?

  public var refersToOthers: Bool { cause != nil || basis != nil || of != nil }
}

extension JSONDocument {
  /// Checks the event at `value` and appends it to `out` as it is stored.
  ///
  /// `isSecure` says which elements of its window are known to hold secrets.
  ///
  /// A refusal leaves half an event in `out`; the caller truncates it.
  public func writeEvent(
    _ type: EventType,
    _ value: JSONIndex,
    into out: inout ByteBuffer,
    unknown: inout UnknownFields,
    isSecure: (Name) -> Bool,
    hidesName: () -> Bool
  ) throws(Refusal) -> WrittenEvent {
    let fields = type.fields
    let slots = self.slots(of: value, fields, unknown: &unknown)
    let isReading = given(fields.speechClass, slots).map { isKey($0, "reading") } ?? false
    let secrecy: Secrecy
    if let flag = given(fields.sensitive, slots), kind(flag) == .yes {
      secrecy = .all
    } else if type == .elements {
      secrecy = self.secrecy(ofElements: value, isSecure: isSecure)
    } else if isReading, given(fields.sensitive, slots) == nil {
      // The words of a screen reader are the person's own, unless he keeps them himself.
      secrecy = .all
    } else if let speechClass = given(fields.speechClass, slots), isKey(speechClass, "value"),
      let element = given(fields.element, slots).flatMap({ name($0) }), isSecure(element)
    {
      // An announcement can speak the value of a password field, too.
      secrecy = .all
    } else if type == .action, given(fields.actionName, slots) != nil, hidesName() {
      secrecy = .all
    } else {
      secrecy = .none
    }
    var isSecret = true
    if case .none = secrecy { isSecret = false }
    out.append("{")
    try writeMembers(
      of: fields,
      slots,
      // Nobody would know the fields of an event of another type.
      checked: fields.type,
      secrecy: secrecy,
      into: &out,
      unknown: &unknown
    )
    out.append("}")
    try checkAction(type, slots, fields)
    let refers = !fields.references.isDisjoint(with: slots.present)
    return WrittenEvent(
      isAsGiven: !isSecret && isWholeWritten(slots, fields, unknown),
      isSecret: isSecret,
      isReading: isReading,
      slots: slots,
      cause: refers ? seq(fields.cause, slots) : nil,
      basis: refers ? seq(fields.basis, slots) : nil,
      of: refers ? seq(fields.of, slots) : nil
    )
  }

  /// Whether nothing of an event was left out, and nothing was put into another order.
  private func isWholeWritten(
    _ slots: Slots,
    _ fields: Fields,
    _ unknown: UnknownFields
  ) -> Bool {
    guard unknown.isEmpty else { return false }
    // Runs are stored with their members in the schema's order, which may not be that of the line.
    return given(fields.text, slots).map { kind($0) == .string } ?? true
  }

  /// The type that an event names.
  public func eventType(_ value: JSONIndex) throws(Refusal) -> EventType {
    guard kind(value) == .object else {
      throw Refusal(.fieldInvalid, "expected an object; got \(excerpt(value))")
    }
    // Nearly always it comes first.
    let isFirst = end(value) > value + 1 && isKey(value + 1, "type")
    guard let name = isFirst ? value + 2 : member("type", of: value) else {
      throw Refusal(.fieldMissing, field: "type", "expected the type of the event")
    }
    guard kind(name) == .string else {
      throw Refusal(
        .fieldInvalid,
        field: "type",
        "expected the type of the event as a string; got \(excerpt(name))"
      )
    }
    if let type = isEscaped(name) ? EventType(rawValue: string(name)) : EventType(raw(name)) {
      return type
    }
    if EventType.Own(rawValue: string(name)) != nil {
      throw Refusal(
        .roleDenied,
        field: "type",
        "events of type \(string(name)) are written by the bus alone"
      )
    }
    throw Refusal(
      .typeUnknown,
      field: "type",
      "expected \(EventType.allCases.map(\.rawValue).joined(separator: ", ")); got \(excerpt(name))"
    )
  }

  /// Refuses a custom action without its name, and a touch without its point.
  private func checkAction(_ type: EventType, _ slots: Slots, _ fields: Fields) throws(Refusal) {
    guard type == .action, let action = given(fields.action, slots) else { return }
    if isKey(action, "custom"), given(fields.actionName, slots) == nil {
      throw Refusal(.fieldMissing, field: "name", "expected the name of the custom action")
    }
    if isKey(action, "touch"), given(fields.point, slots) == nil,
      given(fields.element, slots) == nil
    {
      throw Refusal(.fieldMissing, field: "point", "expected the point that was touched")
    }
  }

  private func given(_ field: Int?, _ slots: Slots) -> JSONIndex? {
    guard let field else { return nil }
    return slots[field]
  }

  private func seq(_ field: Int?, _ slots: Slots) -> Seq? {
    guard let value = given(field, slots), let number = integer(value) else { return nil }
    return Seq(number)
  }
}
