// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import CSQLite

/// A SQLite database that is being built.
final class Database {
  private let handle: OpaquePointer

  /// Makes or opens the file.
  init(_ path: String) throws(Failure) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    let result = sqlite3_open_v2(path, &opened, flags, nil)
    guard result == SQLITE_OK, let handle = opened else {
      let words = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "there is no memory"
      sqlite3_close(opened)
      throw Self.failure(words)
    }
    self.handle = handle
  }

  deinit { sqlite3_close_v2(handle) }

  /// Executes statements without results.
  func execute(_ sql: String) throws(Failure) {
    try check(sqlite3_exec(handle, sql, nil, nil, nil))
  }

  func prepare(_ sql: String) throws(Failure) -> Statement {
    var prepared: OpaquePointer?
    try check(sqlite3_prepare_v2(handle, sql, -1, &prepared, nil))
    guard let prepared else { throw Self.failure("the statement is empty") }
    return Statement(prepared, of: self)
  }

  fileprivate func check(_ result: Int32) throws(Failure) {
    guard result == SQLITE_OK || result == SQLITE_DONE || result == SQLITE_ROW else {
      throw Self.failure(String(cString: sqlite3_errmsg(handle)))
    }
  }

  /// A failure in SQLite's words.
  private static func failure(_ words: String) -> Failure {
    Failure(.inputOutput, VisibleText.of("Writing the database failed: \(words)."))
  }

  /// A statement that is executed again and again with other values.
  final class Statement {
    private let handle: OpaquePointer
    private let database: Database

    fileprivate init(_ handle: OpaquePointer, of database: Database) {
      self.handle = handle
      self.database = database
    }

    deinit { sqlite3_finalize(handle) }

    /// SQLite's constant for bytes that it is to copy.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    func bind(_ place: Int32, _ number: Int64?) throws(Failure) {
      guard let number else { return }
      try database.check(sqlite3_bind_int64(handle, place, number))
    }

    func bind(_ place: Int32, _ text: String?) throws(Failure) {
      guard var text else { return }
      try database.check(text.withUTF8 { bind(place, $0) })
    }

    func bind(_ place: Int32, _ text: Span<UInt8>) throws(Failure) {
      try database.check(text.withUnsafeBufferPointer { bind(place, $0) })
    }

    private func bind(_ place: Int32, _ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
      // An empty text has no address, which SQLite would take for NULL.
      guard let base = bytes.baseAddress else {
        return sqlite3_bind_text(handle, place, "", 0, Self.copied)
      }
      return base.withMemoryRebound(to: CChar.self, capacity: bytes.count) { text in
        sqlite3_bind_text(handle, place, text, Int32(bytes.count), Self.copied)
      }
    }

    /// Executes it with the bound values, and clears them.
    func execute() throws(Failure) {
      let result = sqlite3_step(handle)
      sqlite3_reset(handle)
      sqlite3_clear_bindings(handle)
      try database.check(result)
    }
  }
}
