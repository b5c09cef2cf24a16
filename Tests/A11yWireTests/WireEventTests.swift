// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import A11yWire

/// Members of an event are found by their names, however the line writes them.
@Suite struct WireEventTests {
  @Test func `members are found, and others are not`() throws {
    let reader = JSONReader(limit: Limits.lineBytes)
    try reader.read(
      Array(#"{"type":"speech","of":7,"reading":true,"foo":1,"heard_ms":12,"state":"begun"}"#.utf8)
        .span
    )
    let event = WireEvent(reader.document.root, of: reader.document)
    let (type, of, heard) = (event.string(.type), event.seq(.of), event.integer(.heard))
    let (isReading, isFinal) = (event.flag(.reading), event.flag(.final))
    let (begun, ended) = (event.says(.state, "begun"), event.says(.state, "ended"))
    let window = event.member(.window)

    #expect(type == "speech")
    #expect(of == Seq(7))
    #expect(heard == 12)
    #expect(isReading && !isFinal)
    #expect(begun && !ended)
    #expect(window == nil)
  }

  @Test func `keys may be escaped`() throws {
    let reader = JSONReader(limit: Limits.lineBytes)
    try reader.read(Array(#"{"\u0074ext":"a","win\u0064ow":"w"}"#.utf8).span)
    let event = WireEvent(reader.document.root, of: reader.document)
    let (text, window) = (event.string(.text), event.name(.window))

    #expect(text == "a")
    #expect(window == Name("w"))
  }

  @Test func `a value that is no object has no members`() throws {
    let reader = JSONReader(limit: Limits.lineBytes)
    try reader.read(Array(#"{"event":["text"]}"#.utf8).span)
    let list = reader.document.member("event", of: reader.document.root) ?? reader.document.root
    let text = WireEvent(list, of: reader.document).member(.text)

    #expect(list > 0)
    #expect(text == nil)
  }
}
