// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yPosix
import A11yWire
import CSQLite

/// Entries as rows of a database, for questions in SQL.
struct EntryTables {
  private let database: Database
  private let insert: Database.Statement
  private let insertGap: Database.Statement
  private let insertMeta: Database.Statement
  /// The rows of the open transaction.
  private var pending = 0

  /// The rows of a transaction: enough to be cheap, few enough for memory.
  private static let batch = 20_000

  init(_ path: String) throws(Failure) {
    database = try Database(path)
    // The file gets its name when it is whole: a journal would have nothing to restore.
    try database.execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA page_size=8192;")
    try database.execute(Self.schema)
    insert = try database.prepare("INSERT INTO entries VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")
    insertGap = try database.prepare("INSERT INTO gaps VALUES (?,?,?)")
    insertMeta = try database.prepare("INSERT INTO meta VALUES (?,?)")
    try database.execute("BEGIN")
  }

  /// The columns: the envelope, the fields that most questions ask for, then the whole event and
  /// line.
  private static let schema = """
    CREATE TABLE entries (
      seq INTEGER PRIMARY KEY, time INTEGER, mono INTEGER, app TEXT, uid INTEGER, conn INTEGER,
      type TEXT, priority TEXT, class TEXT, window TEXT, element TEXT, text TEXT, key TEXT,
      cause, event JSON, line TEXT
    );
    CREATE TABLE gaps (from_seq INTEGER, to_seq INTEGER, reason TEXT);
    CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT);
    """

  /// The indices, made after all rows, which is much faster than updating them with each.
  private static let indices = """
    CREATE INDEX entries_by_time ON entries (time);
    CREATE INDEX entries_by_type_and_app ON entries (type, app);
    """

  /// The views; `links` has a row for each reference of an entry to another: the events of a
  /// deliver, the event of an outcome, the cause of an event.
  private static let views = """
    CREATE VIEW links AS
      SELECT seq, cause AS of, 'cause' AS relation FROM entries WHERE typeof(cause) = 'integer'
      UNION ALL SELECT e.seq, j.value, 'of' FROM entries e, json_each(e.event, '$.of') j
      UNION ALL SELECT seq, json_extract(event, '$.by'), 'by' FROM entries
        WHERE json_type(event, '$.by') = 'integer'
      UNION ALL SELECT seq, json_extract(event, '$.action'), 'action' FROM entries
        WHERE type = 'gesture'
      UNION ALL SELECT seq, json_extract(event, '$.basis'), 'basis' FROM entries
        WHERE json_type(event, '$.basis') = 'integer';
    CREATE VIEW announcements_by_hour AS
      SELECT app, strftime('%Y-%m-%d %H:00', time / 1000000, 'unixepoch', 'localtime') AS hour,
        count(*) AS count
      FROM entries WHERE type = 'announcement' GROUP BY app, hour;
    """

  /// The examples in the help.
  static let questions = """
    Questions to the database, for example with sqlite3 FILE:
      How many announcements came of each app in each hour?
        SELECT * FROM announcements_by_hour ORDER BY hour, app;
      What followed from entry 1042?
        SELECT l.relation, e.seq, e.type, e.text FROM links l JOIN entries e USING (seq)
        WHERE l.of = 1042 ORDER BY seq;
      Which entries are missing, and why?
        SELECT * FROM gaps;
    """

  mutating func store(_ entry: JSONDocument, event: Span<UInt8>) throws(Failure) {
    let root = entry.root
    let envelope = EntryView(of: entry)
    let fields = envelope.event
    try insert.bind(1, envelope.seq?.number)
    try insert.bind(2, envelope.time)
    try insert.bind(3, envelope.mono)
    try bind(4, entry, entry.member("app", of: root))
    try insert.bind(5, envelope.uid)
    try insert.bind(6, envelope.conn)
    if let fields, entry.kind(fields) == .object {
      try bind(7, entry, entry.member("type", of: fields))
      try bind(8, entry, entry.member("priority", of: fields))
      try bind(9, entry, entry.member("class", of: fields))
      try bind(10, entry, entry.member("window", of: fields))
      try bind(11, entry, entry.member("element", of: fields))
      try bindText(entry, entry.member("text", of: fields))
      try bind(13, entry, entry.member("key", of: fields))
      try bind(14, entry, entry.member("cause", of: fields))
    }
    try insert.bind(15, event)
    try insert.bind(16, entry.text)
    try insert.execute()
    try countRow()
  }

  private func bind(
    _ place: Int32,
    _ entry: JSONDocument,
    _ value: JSONIndex?
  ) throws(Failure) {
    guard let value else { return }
    switch entry.kind(value) {
    case .string where !entry.isEscaped(value): try insert.bind(place, entry.raw(value))
    case .string: try insert.bind(place, entry.string(value))
    case .number: try insert.bind(place, entry.integer(value))
    default: break
    }
  }

  /// A text, or the words of its runs.
  private func bindText(_ entry: JSONDocument, _ text: JSONIndex?) throws(Failure) {
    guard let text else { return }
    guard entry.kind(text) == .list else {
      try bind(12, entry, text)
      return
    }
    var words = ""
    var run = text + 1
    while run < entry.end(text) {
      words += entry.string("text", of: run) ?? ""
      run = entry.end(run)
    }
    try insert.bind(12, words)
  }

  mutating func store(_ gap: Gap) throws(Failure) {
    try insertGap.bind(1, gap.from.number)
    try insertGap.bind(2, gap.to.number)
    try insertGap.bind(3, gap.reason.rawValue)
    try insertGap.execute()
    try countRow()
  }

  mutating func store(meta name: String, _ value: String) throws(Failure) {
    try insertMeta.bind(1, name)
    try insertMeta.bind(2, value)
    try insertMeta.execute()
  }

  private mutating func countRow() throws(Failure) {
    pending += 1
    guard pending == Self.batch else { return }
    pending = 0
    try database.execute("COMMIT; BEGIN")
  }

  /// Ends the last transaction and makes indices and views.
  func complete() throws(Failure) {
    try database.execute("COMMIT")
    try database.execute(Self.indices)
    try database.execute(Self.views)
  }
}

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
