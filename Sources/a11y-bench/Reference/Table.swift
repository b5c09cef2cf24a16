// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CSQLite

/// The log as a table of SQLite: a number and a line, in one prepared insert.
///
/// A write-ahead log is SQLite's fastest way to be durable; every other setting is SQLite's
/// default. The table works in this process, without sockets, decoding and checksums of lines, so
/// the daemon beside it does more.
final class Table {
  /// The moments at which SQLite syncs.
  enum Synchronous: String {
    /// Each transaction: it survives a loss of power, as `synced` promises.
    case full = "FULL"
    /// Each checkpoint: a transaction survives this process, as `written` promises; after a loss of
    /// power the table is whole, though its last transactions may be gone.
    case normal = "NORMAL"
    /// Never: a transaction survives this process, and a loss of power may cost the table.
    case off = "OFF"
  }

  static var version: String { "SQLite " + String(cString: sqlite3_libversion()) }

  private var database: OpaquePointer?
  private var insert: OpaquePointer?
  private var last: Int64 = 0

  init(at path: String, _ synchronous: Synchronous) throws(BenchFailure) {
    try check(sqlite3_open(path, &database), "open \(path)")
    try execute("PRAGMA journal_mode=WAL")
    try execute("PRAGMA synchronous=\(synchronous.rawValue)")
    try execute("CREATE TABLE entries (seq INTEGER PRIMARY KEY, line TEXT NOT NULL)")
    try check(
      sqlite3_prepare_v2(database, "INSERT INTO entries VALUES (?, ?)", -1, &insert, nil),
      "prepare"
    )
  }

  deinit {
    sqlite3_finalize(insert)
    sqlite3_close(database)
  }

  /// Inserts `count` lines in one transaction.
  func insert(_ count: Int, of sample: LogSample) throws(BenchFailure) {
    try execute("BEGIN")
    for _ in 0..<count {
      last += 1
      try sample.withLine(Int(last)) { line throws(BenchFailure) in
        let text = line.baseAddress?.assumingMemoryBound(to: CChar.self)
        // Without a destructor the bytes have to stay until the step, and they do.
        sqlite3_bind_int64(insert, 1, last)
        sqlite3_bind_text(insert, 2, text, Int32(line.count), nil)
        try check(sqlite3_step(insert), "insert")
      }
      sqlite3_reset(insert)
    }
    try execute("COMMIT")
  }

  private func execute(_ statement: String) throws(BenchFailure) {
    try check(sqlite3_exec(database, statement, nil, nil, nil), statement)
  }

  private func check(_ result: Int32, _ what: String) throws(BenchFailure) {
    guard [SQLITE_OK, SQLITE_DONE, SQLITE_ROW].contains(result) else {
      throw BenchFailure("SQLite, \(what): \(String(cString: sqlite3_errmsg(database)))")
    }
  }
}
