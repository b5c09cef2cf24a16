// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yModel
import A11yRules
import A11yTestKit
import A11yWire
import Testing

@testable import A11yPresenter

/// A scribe reads back the words that it has written, and nothing else.
@Suite struct ScribeTests {
  @Test func `values come back as they were`() throws {
    var number = Int64.min
    var large = UInt64.max
    var word = "ü \" \\ \n \u{1f600}"
    var isSo = true
    var seq = Seq(7)
    var none: Int64?
    var some: Seq? = Seq(9)
    var bytes = Array("{\"text\":\"é\"}".utf8)
    var list = [Seq(1), Seq(2), Seq(3)]
    var scribe = Scribe()
    pass(&scribe, &number, &large, &word, &isSo, &seq, &none, &some, &bytes, &list)

    (number, large, word, isSo, seq) = (0, 0, "", false, .none)
    (none, some, bytes, list) = (1, nil, [], [Seq(8)])
    var back = try reading(written(scribe))
    pass(&back, &number, &large, &word, &isSo, &seq, &none, &some, &bytes, &list)

    let isDone = back.isDone
    #expect(isDone)
    #expect(number == .min)
    #expect(large == .max)
    #expect(word == "ü \" \\ \n \u{1f600}")
    #expect(isSo)
    #expect(seq == Seq(7))
    #expect(none == nil)
    #expect(some == Seq(9))
    #expect(bytes == Array("{\"text\":\"é\"}".utf8))
    #expect(list == [Seq(1), Seq(2), Seq(3)])
  }

  private func pass(
    _ scribe: inout Scribe,
    _ number: inout Int64,
    _ large: inout UInt64,
    _ word: inout String,
    _ isSo: inout Bool,
    _ seq: inout Seq,
    _ none: inout Int64?,
    _ some: inout Seq?,
    _ bytes: inout [UInt8],
    _ list: inout [Seq]
  ) {
    scribe.transcribe(&number)
    scribe.transcribe(&large)
    scribe.transcribe(&word)
    scribe.transcribe(&isSo)
    scribe.transcribe(&seq)
    scribe.transcribe(&none)
    scribe.transcribe(&some)
    scribe.string(&bytes)
    scribe.transcribe(&list)
  }

  @Test(
    arguments: [
      ("[]", "too little"), ("[1,2]", "too much"), ("[\"1\"]", "another kind"), ("{}", "no list"),
      ("[1.5]", "no whole number"), ("[true]", "another kind"),
    ]
  )
  func `what is not as it should be is told`(_ text: String, _ why: String) throws {
    var scribe = try reading(text)
    var number: Int64 = 0
    scribe.transcribe(&number)
    let isDone = scribe.isDone
    #expect(!isDone, "\(why)")
  }

  @Test func `a list that claims to be longer than it is, is given up`() throws {
    var scribe = try reading("[9000000000000000000,1]")
    var list: [Seq] = []
    scribe.transcribe(&list)
    let isDone = scribe.isDone
    #expect(!isDone)
    #expect(list.count < 10)
  }

  @Test func `a word that nobody knows is told`() throws {
    var scribe = try reading("[\"shouting\"]")
    var standing = Item.Standing.moving
    scribe.transcribe(&standing)
    let isDone = scribe.isDone
    #expect(!isDone)
  }

  @Test func `a rate that is used up comes back with who waits for it`() throws {
    var bucket = Bucket(
      full: .microseconds(123),
      interval: .milliseconds(500),
      burst: 3,
      waiting: SeqQueue([Seq(4), Seq(5)])
    )
    var back = Bucket(full: .blank, interval: .zero, burst: 0)
    try roundTrip(&bucket, &back)
    #expect(back.full == .microseconds(123))
    #expect(back.interval == .milliseconds(500))
    #expect(back.burst == 3)
    #expect(back.waiting.seqs == [Seq(4), Seq(5)])
  }

  @Test func `a storm comes back with its elements`() throws {
    var storm = Storm(element: Name("e1"), at: .microseconds(5), rule: "storm")
    storm.since = .microseconds(7)
    storm.collected = [Seq(1), Seq(2)]
    storm.elements = [Name("e2"), Name("e3")]
    var back = Storm(element: Name(""), at: .blank, rule: "")
    try roundTrip(&storm, &back)
    #expect(back.element == Name("e1"))
    #expect(back.lastAt == .microseconds(5))
    #expect(back.since == .microseconds(7))
    #expect(back.collected == [Seq(1), Seq(2)])
    #expect(back.elements == [Name("e2"), Name("e3")])
    #expect(back.rule == "storm")
  }

  @Test func `what was said comes back with its fingerprint`() throws {
    let statement = Memory.Statement(
      seq: Seq(3),
      at: .microseconds(9),
      print: Fingerprint(Array("x".utf8).span),
      action: Seq(2)
    )
    var memory = Memory(delivered: statement, pending: nil)
    var back = Memory(delivered: nil, pending: .blank)
    try roundTrip(&memory, &back)
    #expect(back.pending == nil)
    #expect(back.delivered?.seq == Seq(3))
    #expect(back.delivered?.at == .microseconds(9))
    #expect(back.delivered?.print == statement.print)
    #expect(back.delivered?.action == Seq(2))
  }

  @Test func `the numbers of an outcome come back`() throws {
    var why = Why()
    why.waited = .microseconds(1)
    why.heard = .milliseconds(20)
    why.rate = Why.Rate(interval: .seconds(1), burst: 5)
    why.isEstimated = true
    why.focus = FocusAnswer(.denied, reason: .modal, seq: nil)
    var back = Why()
    back.due = .microseconds(7)
    try roundTrip(&why, &back)
    #expect(back == why)
  }

  // MARK: Both ways

  private func roundTrip<Value: Recorded>(_ value: inout Value, _ back: inout Value) throws {
    var scribe = Scribe()
    scribe.transcribe(&value)
    var reader = try reading(written(scribe))
    reader.transcribe(&back)
    let isRead = reader.isDone
    #expect(isRead)
  }

  @Test func `a key that was written down is read back`() throws {
    var key = Key(
      "rate",
      AppKey(uid: 1_000, app: Name("mail")),
      window: Name("a")
    )
    var scribe = Scribe()
    scribe.transcribe(&key)
    var back = try reading(written(scribe))
    var other = Key("", AppKey(uid: 0, app: Name("")))
    back.transcribe(&other)

    #expect(other == key)
    #expect(other.mark == key.mark)
  }

  private func written(_ scribe: borrowing Scribe) -> String {
    var out = ByteBuffer(capacity: 0)
    scribe.appendList(to: &out)
    return out.bytes.string
  }

  private func reading(_ text: String) throws -> Scribe {
    let reader = JSONReader(limit: Limits.answerBytes)
    try reader.read(Array(#"{"is":\#(text)}"#.utf8).span)
    let document = reader.document
    guard let list = document.member("is", of: document.root) else { return Scribe() }
    return Scribe(list, of: document, under: .defaults)
  }
}
