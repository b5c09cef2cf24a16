// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire

@testable import A11yClient

/// Entries of a log for tests of words.
enum RecordedEntry {
  /// The time of entry 0; each entry comes a second after the one before.
  static let began: Int64 = 1_795_242_000_000_000

  static func time(_ seq: Int) -> Int64 { began + Int64(seq) * 1_000_000 }

  static func of(_ app: String, _ seq: Int, _ event: String) throws -> Entry {
    let line = Says.entry(seq, app: app, event: event)
      .replacing(#""time":1795242000123456"#, with: #""time":\#(time(seq))"#)
      .replacing(#""conn":1,"#, with: app == "a11yd" ? #""conn":0,"# : #""conn":1,"#)
    let reader = JSONReader(limit: 4_096)
    try reader.read(Array(line.utf8).span)
    return try Entry(Int64(seq), reader.document)
  }

  static func announcement(_ seq: Int, _ text: String, of app: String = "org.x") throws -> Entry {
    try of(app, seq, #"{"type":"announcement","text":"\#(text)"}"#)
  }

  static func outcome(_ seq: Int, of: Int, _ result: String, _ more: String = "") throws -> Entry {
    try self.of("a11yd", seq, #"{"type":"outcome","of":\#(of),"result":"\#(result)"\#(more)}"#)
  }
}
