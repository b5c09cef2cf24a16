// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yForward
import A11yTestKit
import A11yWire
import Testing

struct BatchTests {
  private let reader = JSONReader(limit: 65_536)

  /// Packs lines as the bus sends them, and returns them as the engine gets them.
  private func pack(_ lines: [String], into batch: Batch) throws -> [String] {
    for line in lines {
      try reader.read(Array(line.utf8).span)
      let document = reader.document
      if let seq = document.integer("seq", of: document.root) {
        batch.pack(seq, document)
      } else {
        batch.pack(mark: document)
      }
    }
    return batch.withBytes { bytes in
      batch.parcels.map { String(decoding: bytes[$0.bytes], as: UTF8.self) }
    }
  }

  private static func entry(_ seq: Int64, _ event: String) -> String {
    var line = ByteBuffer(capacity: 256)
    line.append(text: #"{"seq":\#(seq),"time":5,"mono":6,"app":"a","uid":1,"conn":2,"#)
    line.append(text: #""event":\#(event)"#)
    line.seal(from: 0)
    return String(line.bytes.string.dropLast())
  }

  @Test func `an entry and a gap go as they are, and other marks stay`() throws {
    let lines = [
      Self.entry(7, #"{"type":"announcement","text":"a\u00e4\"  b"}"#),
      #"{"mark":"gap","from":8,"to":11,"reason":"retention"}"#,
      #"{"mark":"caught-up","cursor":"ab:11"}"#,
    ]
    let batch = Batch(keepsTexts: true)

    #expect(try pack(lines, into: batch) == Array(lines.prefix(2)))
    #expect(batch.parcels.map(\.seq) == [7, 11])
    #expect(batch.reached == 11)
  }

  @Test func `entries of other apps and types stay, and the life of the log goes along`() throws {
    let batch = Batch(
      keepsTexts: true,
      ForwardFilter(apps: ["a"], types: ["announcement", "outcome"])
    )
    let own = { (seq: Int64, event: String) in
      Self.entry(seq, event).replacing(
        #""app":"a","uid":1,"conn":2"#,
        with: #""app":"a11yd","uid":0,"conn":0"#
      )
    }
    let lines = [
      own(1, #"{"type":"opened"}"#),
      Self.entry(2, #"{"type":"announcement","text":"x"}"#),
      Self.entry(3, #"{"type":"window","window":"w"}"#),
      own(4, #"{"type":"outcome","of":2,"app":"b"}"#),
      own(5, #"{"type":"outcome","of":2,"app":"a"}"#),
      own(6, #"{"type":"client","state":"joined"}"#),
    ]

    _ = try pack(lines, into: batch)

    #expect(batch.parcels.map(\.seq) == [1, 2, 5])
    #expect(batch.reached == 6)
  }

  @Test func `a forgotten entry is not sent, and counts as reached`() throws {
    let batch = Batch(keepsTexts: true)

    #expect(try pack([Self.entry(9, #"{"type":"forgotten"}"#)], into: batch) == [])
    #expect(batch.reached == 9)
  }

  @Test func `an entry about forgetting ends its batch and names the ranges`() throws {
    let batch = Batch(keepsTexts: true)
    let line = Self.entry(9, #"{"type":"forgot","ranges":[[1,3],[5,5]],"count":4,"uid":0}"#)

    #expect(try pack([Self.entry(8, #"{"type":"closed"}"#), line], into: batch).last == line)
    #expect(batch.forgotten == [1...3, 5...5])
    #expect(batch.isFull)
    batch.clear()
    #expect(!batch.isFull)
  }

  @Test func `without texts words are missing at every depth, and the seal is right`() throws {
    let batch = Batch(keepsTexts: false)
    let event =
      #"{"type":"elements","upsert":[{"id":"e","label":"l\"","value":"v","hint":"h","#
      + #""traits":["button"],"frame":[1,-2,3,4],"modal":true,"parent":null}],"#
      + #""title":"t","text":[{"text":"x"}],"n":1.50}"#

    let sent = try #require(try pack([Self.entry(3, event)], into: batch).first)

    let kept =
      #"{"type":"elements","upsert":[{"id":"e","traits":["button"],"frame":[1,-2,3,4],"#
      + #""modal":true,"parent":null}],"n":1.50}"#
    #expect(sent == Self.entry(3, kept))
  }

  @Test func `without texts the names that apps give to actions are missing`() throws {
    let batch = Batch(keepsTexts: false)
    let events = [
      #"{"type":"elements","upsert":[{"id":"e","actions":["Call Anna"]}]}"#,
      #"{"type":"action","action":"custom","name":"Call Anna"}"#,
      #"{"type":"gesture","action":2,"name":"Call Anna"}"#,
      #"{"type":"gesture","action":2,"name":"activate"}"#,
      #"{"type":"rules","content":[{"name":"focus"}]}"#,
    ]

    let sent = try pack(events.enumerated().map { Self.entry(Int64($0 + 1), $1) }, into: batch)

    #expect(
      sent == [
        Self.entry(1, #"{"type":"elements","upsert":[{"id":"e"}]}"#),
        Self.entry(2, #"{"type":"action","action":"custom"}"#),
        Self.entry(3, #"{"type":"gesture","action":2}"#), Self.entry(4, events[3]),
        Self.entry(5, events[4]),
      ]
    )
  }

  @Test func `without words an entry stays byte for byte`() throws {
    let batch = Batch(keepsTexts: false)
    let line = Self.entry(3, #"{"type":"outcome","of":2,"result":"heard","why":{"waited_ms":4}}"#)

    #expect(try pack([line], into: batch) == [line])
  }

  @Test func `a batch has a bound`() throws {
    let batch = Batch(keepsTexts: true, most: 2)
    let lines = (1...2).map { Self.entry($0, #"{"type":"closed"}"#) }

    _ = try pack([lines[0]], into: batch)
    #expect(!batch.isFull)
    _ = try pack([lines[1]], into: batch)
    #expect(batch.isFull)
  }

  @Test func `a stored line tells its seq and its ranges`() throws {
    let forgot = Self.entry(9, #"{"type":"forgot","ranges":[[1,3]],"count":3,"uid":0}"#)

    #expect(EngineLine(Array(forgot.utf8))?.forgotten == [1...3])
    #expect(EngineLine(Array(forgot.utf8))?.seq == 9)
    let gap = EngineLine(Array(#"{"mark":"gap","from":2,"to":4,"reason":"storage"}"#.utf8))
    #expect(gap?.seq == 4)
    #expect(gap?.isGap == true)
    #expect(EngineLine(Array("{}".utf8)) == nil)
    #expect(EngineLine([]) == nil)
  }
}
