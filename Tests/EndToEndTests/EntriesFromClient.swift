// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

extension RawClient {
  /// The next line that is an entry; marks before it are passed over.
  func entry() throws -> Entry {
    while true {
      let line = try line()
      if line.hasPrefix(#"{"seq":"#) { return try Entry(line) }
      try #require(line.hasPrefix(#"{"mark":"#), "neither entry nor mark: \(line)")
    }
  }

  /// The next line that is this mark, and the entries that came before it.
  func entriesUntil(mark: String) throws -> (entries: [Entry], mark: JSON) {
    var entries: [Entry] = []
    while true {
      let line = try line()
      if line.hasPrefix(#"{"seq":"#) {
        entries.append(try Entry(line))
      } else {
        let found = try JSON(line)
        if found["mark"] == .string(mark) { return (entries, found) }
        try #require(found["mark"].isThere, "neither entry nor mark: \(line)")
      }
    }
  }

  func entriesUntilCaughtUp() throws -> [Entry] { try entriesUntil(mark: "caught-up").entries }
}

extension RunningDaemon {
  /// The whole log as a new subscriber gets it, up to what is there now.
  func entries() throws -> [Entry] {
    let client = try connect()
    try client.send(#"{"id":0,"op":"subscribe","from":"start"}"#)
    _ = try client.answer()
    return try client.entriesUntilCaughtUp()
  }
}
