// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

@testable import A11ySpeech

/// Bytes of speech-dispatcher become messages, in whatever pieces they come.
@Suite struct SsipReaderTests {
  private static let conversation =
    "208 OK LANGUAGE SET\r\n225-21\r\n225 OK MESSAGE QUEUED\r\n701-21\r\n701-2\r\n701 BEGIN\r\n"
    + "700-21\r\n700-2\r\n700-0\r\n700 INDEX MARK\r\n702-21\r\n702-2\r\n702 END\r\n"

  private func read(_ text: String) -> [SsipMessage]? {
    var reader = SsipReader()
    return reader.messages(in: text.utf8)
  }

  @Test func `replies and events are told apart, and have their details`() throws {
    let messages = try #require(read(Self.conversation))

    #expect(messages.map(\.code) == [208, 225, 701, 700, 702])
    #expect(messages[0].isSuccess)
    #expect(messages[1].details == ["21"])
    #expect(
      messages.map(\.event) == [
        nil, nil, SsipEvent(21, .begin), SsipEvent(21, .mark("0")), SsipEvent(21, .end),
      ]
    )
  }

  @Test func `it does not matter in which pieces bytes come`() throws {
    var dice = Dice()
    for _ in 0..<100 {
      var reader = SsipReader()
      var rest = Array(Self.conversation.utf8)[...]
      var found: [SsipMessage] = []
      while !rest.isEmpty {
        let piece = rest.prefix(dice.roll(1...20))
        let new = reader.messages(in: piece)
        found += try #require(new)
        rest = rest.dropFirst(piece.count)
      }
      #expect(found == read(Self.conversation))
    }
  }

  @Test func `a beginning before the number of its message is read all the same`() throws {
    let messages = try #require(
      read("701-5\r\n701-2\r\n701 BEGIN\r\n225-5\r\n225 OK MESSAGE QUEUED\r\n")
    )

    #expect(messages.map(\.event) == [SsipEvent(5, .begin), nil])
  }

  @Test(arguments: ["703-9\r\n703-1\r\n703 CANCELED\r\n", "703-9\n703-1\n703 CANCELED\n"])
  func `a line may end with a newline alone`(text: String) throws {
    #expect(try #require(read(text)).map(\.event) == [SsipEvent(9, .cancelled)])
  }

  @Test(arguments: ["701 BEGIN\r\n", "701-x\r\n701 BEGIN\r\n", "704-1\r\n704-2\r\n704 PAUSED\r\n"])
  func `an event without a number, or that nobody asked for, is none`(text: String) throws {
    #expect(try #require(read(text)).map(\.event) == [nil])
  }

  @Test(arguments: ["hello\r\n", "\r\n", "20 OK\r\n", "2080K\r\n", "٢٠٨ OK\r\n", "\u{0}\r\n"])
  func `anything else is not the protocol`(text: String) {
    #expect(read(text) == nil)
  }

  @Test func `bytes that are no text are read as far as it goes`() throws {
    var reader = SsipReader()
    let bytes = Array("251-".utf8) + [0xff, 0xfe] + Array("\r\n251 OK\r\n".utf8)

    let messages = reader.messages(in: bytes)
    #expect(messages?.map(\.code) == [251])
  }

  @Test func `a line and a reply without end are given up`() {
    var reader = SsipReader()
    let long = reader.messages(in: repeatElement(UInt8(ascii: "2"), count: 65_536))
    #expect(long == [])
    let longer = reader.messages(in: [UInt8(ascii: "2")])
    #expect(longer == nil)

    reader = SsipReader()
    let line = Array("249-voice\r\n".utf8)
    let many = reader.messages(in: repeatElement(line, count: 65_536).joined())
    #expect(many == [])
    let more = reader.messages(in: line)
    #expect(more == nil)
  }

  @Test func `random bytes never bring it down`() {
    var dice = Dice()
    for _ in 0..<500 {
      var reader = SsipReader()
      let alphabet = Array("0127-- \r\n\nO".utf8) + [0xff]
      let bytes = (0..<dice.roll(0...60)).map { _ in alphabet[dice.roll(0...alphabet.count - 1)] }
      for message in reader.messages(in: bytes) ?? [] { _ = message.event }
    }
  }
}
