// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yRules
import A11yWire
import Testing

@testable import A11yPresenter

/// The assumed pace of a reader is read from an entry as it was written there.
@Suite struct ReaderPaceTests {
  private func taken(_ event: String, over pace: ReaderPace = ReaderPace()) throws -> ReaderPace {
    let reader = JSONReader(limit: Limits.lineBytes)
    try reader.read(Array(event.utf8).span)
    var pace = pace
    pace.take(WireEvent(reader.document.root, of: reader.document))
    return pace
  }

  private var german: ReaderPace {
    var pace = ReaderPace(perCharacter: .milliseconds(30), grace: .milliseconds(500))
    pace.language = .german
    pace.speaksHints = false
    return pace
  }

  @Test func `it is read as it was written`() throws {
    for pace in [ReaderPace(), german] {
      var out = ByteBuffer(capacity: 256)
      out.append("{")
      pace.write(into: &out)
      out.append("}")
      #expect(try taken(out.bytes.string) == pace)
    }
  }

  @Test func `what is as usual goes unsaid, and is as usual again`() throws {
    let usual = #"{"reader":{"ms_per_char":50,"grace_ms":2000}}"#
    #expect(try taken(usual, over: german) == ReaderPace())
    #expect(try taken(#"{"type":"rules"}"#, over: german) == german)
  }

  @Test(arguments: [
    #"{}"#, #"{"ms_per_char":9223372036854775807,"grace_ms":-1}"#, #"{"language":"tlh"}"#,
  ])
  func `what cannot be is as usual`(_ reader: String) throws {
    #expect(try taken(#"{"reader":\#(reader)}"#, over: german) == ReaderPace())
  }
}
