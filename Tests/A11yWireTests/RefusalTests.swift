// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire
import Testing

@Suite struct RefusalTests {
  private func rendered(_ refusal: Refusal) -> String {
    var out = ByteBuffer(capacity: 0)
    out.appendRefusal(refusal)
    return out.bytes.string
  }

  @Test func `a refusal names its code, its field and what was expected`() {
    let refusal = Refusal(.fieldInvalid, field: "event.priority", #"expected low; got "urgent""#)

    #expect(
      rendered(refusal)
        == #"{"code":"field.invalid","field":"event.priority","#
        + #""msg":"expected low; got \"urgent\""}"#
    )
  }

  @Test func `a refusal without a field has none`() {
    #expect(rendered(Refusal(.jsonInvalid, "a\nb")) == #"{"code":"json.invalid","msg":"a\nb"}"#)
  }

  @Test func `a refusal carries what the client needs to go on`() throws {
    var refusal = Refusal(.cursorFuture, field: "from", "m")
    refusal.epoch = Epoch(hex: String(repeating: "0a", count: 16))
    refusal.last = Seq(7)

    #expect(
      rendered(refusal) == """
        {"code":"cursor.future","field":"from","msg":"m",\
        "epoch":"\(String(repeating: "0a", count: 16))","last":7}
        """
    )
  }

  @Test(
    arguments: [
      (nil, "event", "event"), ("text", "event", "event.text"),
      ("[0].id", "upsert", "upsert[0].id"), ("frame[3]", "upsert[1]", "upsert[1].frame[3]"),
    ] as [(String?, String, String)]
  )
  func `a field is named by the way to it`(field: String?, outer: String, path: String) {
    #expect(Refusal(.fieldInvalid, field: field, "").inside(outer).field == path)
  }

  @Test func `the path of a field is all that an object around it changes`() {
    var refusal = Refusal(.seqUnknown, field: "of", "m")
    refusal.last = Seq(3)

    let inner = refusal.inside("event")

    #expect(inner.code == .seqUnknown)
    #expect(inner.message == "m")
    #expect(inner.last == Seq(3))
  }

  @Test(arguments: [
    (#"{"a":{}}"#, "an object"), (#"{"a":[]}"#, "an empty list"),
    (#"{"a":[1,[2]]}"#, "a list of 2"),
    (#"{"a":""}"#, "an empty string"), (#"{"a":"urgent"}"#, #""urgent""#), (#"{"a":1.50}"#, "1.50"),
    (#"{"a":true}"#, "true"), (#"{"a":false}"#, "false"), (#"{"a":null}"#, "null"),
    (#"{"a":"\u0041"}"#, #""A""#),
  ])
  func `a refused value is told in few words`(line: String, words: String) throws {
    let reader = JSONReader(limit: 1_024)
    try reader.read(Array(line.utf8).span)

    let excerpt = reader.document.excerpt(2)

    #expect(excerpt == words)
  }

  @Test func `a long text is cut where it is told`() throws {
    let reader = JSONReader(limit: 1_024)
    try reader.read(Array("{\"a\":\"\(String(repeating: "ß", count: 41))\"}".utf8).span)

    let words = reader.document.excerpt(2)

    #expect(words == "\"\(String(repeating: "ß", count: 40))…\" (82 bytes)")
  }
}
