// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import CSQLite
import Foundation
import Testing

/// The tables of docs/fleet/sqlite.sql, filled with lines as an engine has them.
@Suite struct FleetSchemaTests {
  private let database: Rows

  init() throws {
    let schema = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../docs/fleet/sqlite.sql").standardizedFileURL
    database = try Rows(try String(contentsOf: schema, encoding: .utf8))
  }

  private func add(_ machine: String, _ epoch: String, _ lines: String...) throws {
    for line in lines {
      try database.run(
        "INSERT INTO arrivals VALUES ('\(machine)', '\(epoch)', '\(line)')"
      )
    }
  }

  private static func entry(_ seq: Int, _ event: String, conn: Int = 1) -> String {
    #"{"seq":\#(seq),"time":1700000000000000,"mono":1,"app":"x","uid":0,"conn":\#(conn),"#
      + #""event":\#(event),"crc":"00"}"#
  }

  private static func text(_ seq: Int, _ words: String) -> String {
    entry(seq, #"{"type":"announcement","text":"\#(words)"}"#)
  }

  private static func end(_ seq: Int, of: Int, _ result: String) -> String {
    entry(seq, #"{"type":"outcome","of":\#(of),"result":"\#(result)","app":"mail"}"#, conn: 0)
  }

  @Test func `the later copy of a key holds`() throws {
    try add("m", "e", Self.text(1, "first"), Self.text(1, "second"))
    try add("n", "e", Self.text(1, "another machine"))
    #expect(
      try database.ask("SELECT machine, text FROM entries ORDER BY machine")
        == [["m", "second"], ["n", "another machine"]]
    )
    #expect(try database.ask("SELECT count(*) FROM arrivals") == [["0"]])
  }

  @Test func `what is forgotten goes, of this machine alone`() throws {
    try add("m", "old", Self.text(1, "one"), Self.text(2, "two"), Self.text(3, "three"))
    try add("m", "new", Self.text(4, "four"), Self.text(5, "five"))
    try add("n", "other", Self.text(2, "kept"))

    try add("m", "new", Self.entry(6, #"{"type":"forgot","ranges":[[2,2],[4,4]],"count":2}"#))

    #expect(
      try database.ask("SELECT machine, seq FROM entries ORDER BY machine, seq")
        == [["m", "1"], ["m", "3"], ["m", "5"], ["m", "6"], ["n", "2"]]
    )
    #expect(
      try database.ask("SELECT from_seq, to_seq FROM missing WHERE machine = 'm'") == [["2", "2"]]
    )
  }

  @Test func `gaps and ends are told by the views`() throws {
    try add("m", "e", #"{"mark":"gap","from":3,"to":9,"reason":"retention"}"#)
    try add("m", "e", Self.text(10, "a"), Self.end(11, of: 10, "heard"))
    try add("m", "e", Self.text(12, "b"), Self.end(13, of: 12, "undeliverable"))
    try add("n", "f", Self.text(1, "c"), Self.end(2, of: 1, "expired"))

    #expect(try database.ask("SELECT * FROM gaps") == [["m", "e", "3", "9", "retention"]])
    #expect(try database.ask("SELECT * FROM unheard_by_app") == [["mail", "2", "1", "2"]])
    #expect(
      try database.ask("SELECT * FROM unheard_by_machine ORDER BY machine")
        == [["m", "1", "1"], ["n", "0", "1"]]
    )
    #expect(try database.ask("SELECT machine, entries FROM machines").count == 2)
    #expect(
      try database.ask("SELECT machine, app, events FROM events_by_hour")
        == [["m", "x", "2"], ["n", "x", "1"]]
    )
  }
}

/// A database in memory.
private final class Rows {
  private var handle: OpaquePointer?

  init(_ schema: String) throws {
    try #require(sqlite3_open(":memory:", &handle) == SQLITE_OK)
    try run(schema)
  }

  deinit { sqlite3_close(handle) }

  func run(_ text: String) throws {
    let code = sqlite3_exec(handle, text, nil, nil, nil)
    try #require(code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
  }

  func ask(_ question: String) throws -> [[String]] {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(handle, question, -1, &statement, nil)
    try #require(code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
    defer { sqlite3_finalize(statement) }
    var rows: [[String]] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (0..<sqlite3_column_count(statement)).map { column in
          sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "null"
        }
      )
    }
    return rows
  }
}
