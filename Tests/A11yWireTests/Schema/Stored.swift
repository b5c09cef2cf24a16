// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// An event as the log gets it, with the result of writing it.
struct Stored: Equatable {
  var text: String
  var unknown: [String] = []
  var cause: Seq?
  var basis: Seq?
  var of: Seq?

  /// Reads an event as it stands in a publish request, and writes it as it is stored.
  ///
  /// These elements are known to hold secrets.
  init(_ event: String, secure: Set<String> = []) throws {
    let reader = JSONReader(limit: Limits.answerBytes)
    try reader.read(Array("{\"event\":\(event)}".utf8).span)
    let document = reader.document
    var out = ByteBuffer(capacity: 0)
    let type = try document.eventType(2)
    let references = try document.writeEvent(
      type,
      2,
      into: &out,
      unknown: &unknown,
      isSecure: { secure.contains($0.text) },
      hidesName: { false }
    )
    text = out.bytes.string
    cause = references.cause
    basis = references.basis
    of = references.of
  }

  /// The refusal of an event; nil where it is stored.
  static func refusal(of event: String) throws -> Refusal? {
    do {
      _ = try Stored(event)
      return nil
    } catch let refusal as Refusal {
      return refusal
    }
  }
}
