// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import CSQLite
import Foundation
import Testing

/// Exports of a log: as lines, as a database, as events of another format.
@Suite(.timeLimit(.minutes(hangs)))
struct LogExportTests {
  private let log: LogFiles

  init() throws { log = try LogFiles(announcements: 720) }

  private var database: String { log.directory("log.db") }

  /// The rows that a question to the database has for an answer.
  private func ask(_ question: String) throws -> [[String]] {
    var handle: OpaquePointer?
    try #require(sqlite3_open_v2(database, &handle, SQLITE_OPEN_READONLY, nil) == SQLITE_OK)
    defer { sqlite3_close(handle) }
    var statement: OpaquePointer?
    try #require(
      sqlite3_prepare_v2(handle, question, -1, &statement, nil) == SQLITE_OK,
      "\(String(cString: sqlite3_errmsg(handle)))"
    )
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

  // MARK: cat

  @Test func `entries are printed as they are stored`() throws {
    let stored = try log.segments().indices.flatMap { try log.lines($0) }
      .filter { $0.hasPrefix(#"{"seq""#) }

    #expect(try log.output("cat", "--json").split(separator: "\n").map(String.init) == stored)
  }

  @Test(arguments: [["--sqlite", "log.db"], ["--cloudevents", "log.ndjson"]])
  func `an export is for its owner alone`(options: [String]) throws {
    let file = log.directory(options[1])
    let before = umask(0o022)
    defer { umask(before) }

    _ = try log.output("export", options[0], file)

    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func `a selection is what all kinds of options let through`() throws {
    #expect(try log.printed("--from", "100", "--to", "102") == [100, 101, 102])
    #expect(try log.printed("--type", "opened") == [1])
    #expect(try log.printed("--app", "org.example.Mail", "--type", "announcement").count == 360)
    #expect(try log.printed("--since", "1 hour ago") == log.printed())
    #expect(try log.printed("--since", "2100-01-01") == [])
    #expect(
      try log.output("cat", "--from", "1", "--to", "1", "--seq").hasSuffix("the log is empty")
    )
  }

  @Test func `what retention has taken is a gap to who asks for it`() throws {
    let lost = try log.seqs(0)
    try FileManager.default.removeItem(atPath: log.file(0))

    #expect(
      try log.output("cat", "--from", "2", "--to", "\(lost.upperBound)")
        == "Entries 2 to \(lost.upperBound) are missing: retention."
    )
  }

  // MARK: SQLite

  @Test func `a database answers questions`() throws {
    let count = try log.printed().count
    #expect(
      try log.output("export", "--sqlite", database) == "\(database) has \(count) entries."
    )

    #expect(
      try ask("SELECT count(*), min(seq), max(seq) FROM entries") == [
        ["\(count)", "1", "\(count)"]
      ]
    )
    #expect(
      try ask("SELECT app, sum(count) FROM announcements_by_hour GROUP BY app ORDER BY app")
        == [["org.example.Files", "360"], ["org.example.Mail", "360"]]
    )
    #expect(
      try ask(
        "SELECT window, text, json_extract(event, '$.text') FROM entries WHERE text = '0/1/3'"
      )
        == [["main", "0/1/3", "0/1/3"]]
    )
    let line = try log.lines(0)[1]
    #expect(try ask("SELECT line FROM entries WHERE seq = 1") == [[line]])
    #expect(try ask("SELECT * FROM gaps") == [])
    #expect(try ask("SELECT value FROM meta WHERE name = 'source'") == [[log.path]])
    #expect(try ask("PRAGMA integrity_check") == [["ok"]])
  }

  @Test func `what referred to an entry is found by a question`() throws {
    let daemon = try log.start()
    let client = try daemon.connect()
    let action = try client.publishAccepted(#"{"type":"action","action":"activate","element":"e"}"#)
    let said = try client.publishAccepted(
      #"{"type":"announcement","text":[{"text":"98110","spell":true},{"text":" done"}],"#
        + #""cause":\#(action)}"#
    )
    try daemon.stop()
    _ = try log.output("export", "--sqlite", database)

    #expect(
      try ask("SELECT seq, relation FROM links WHERE of = \(action)") == [["\(said)", "cause"]]
    )
    #expect(try ask("SELECT text FROM entries WHERE seq = \(said)") == [["98110 done"]])
  }

  @Test func `gaps have a table of their own`() throws {
    let place = try log.offset(of: #"{"seq":30,"#, in: 0)
    try log.change(0) { $0[place + 30] ^= 1 }
    _ = try log.output("export", "--sqlite", database)

    #expect(try ask("SELECT * FROM gaps") == [["30", "30", "corruption"]])
  }

  @Test func `a file that is there is replaced only when that is asked for`() throws {
    try Data("mine".utf8).write(to: URL(filePath: database))

    let (status, output) = try log.run("export", "--sqlite", database)
    #expect(status == 73)
    #expect(output.contains("--force"))
    #expect(try String(contentsOfFile: database, encoding: .utf8) == "mine")

    _ = try log.output("export", "--sqlite", database, "--force", "--to", "3")
    #expect(try ask("SELECT count(*) FROM entries") == [["3"]])
  }

  @Test func `of an export that fails nothing is left`() throws {
    let target = log.directory("none/log.db")

    #expect(try log.run("export", "--sqlite", target).status == 74)
    #expect(!FileManager.default.fileExists(atPath: target))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: log.directory.path)
        .filter { $0.contains("unfinished") } == []
    )
  }

  // MARK: CloudEvents

  @Test func `each entry is an event of CloudEvents`() throws {
    let file = log.directory("events")
    let count = try log.printed().count

    _ = try log.output("export", "--cloudevents", file)

    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == count)
    let epoch = try JSON(log.lines(0)[0])["epoch"].string ?? ""
    for (line, seq) in zip(lines, try log.printed()) {
      let event = try JSON(String(line))
      #expect(event["specversion"] == "1.0")
      #expect(event["id"].string == "\(epoch):\(seq)")
      #expect(event["datacontenttype"] == "application/json")
    }
    let announced = try JSON(String(#require(lines.first { $0.contains(#""text":"0/0/0""#) })))
    #expect(announced["type"] == "org.a11yd.announcement")
    #expect(announced["source"].string == "/a11yd/uid/\(getuid())/app/org.example.Mail")
    #expect(announced["data"]["text"] == "0/0/0")
    #expect(try log.output("export", "--cloudevents", "-", "--to", "1") == lines[0])
  }

  // MARK: forget

  @Test func `without a yes nothing is forgotten`() throws {
    let before = try log.bytes(0)

    let words = try log.output("forget", "--app", "org.example.Mail")

    #expect(words.contains("Nothing was changed"))
    #expect(try log.bytes(0) == before)
    let none = try log.output("forget", "--app", "org.example.None")
    #expect(none.contains("There is no entry of org.example.None to forget."))
    #expect(none.contains("No app of the name org.example.None has been in the log"))
  }

  @Test(arguments: [true, false])
  func `what an app has sent is forgotten, with a daemon or without`(isRunning: Bool) throws {
    let all = try log.printed()
    let mail = try log.printed("--app", "org.example.Mail")
    let daemon = isRunning ? try log.start() : nil
    let socket = log.directory("bus.sock")

    let words = try log.output(
      "forget",
      "--app",
      "org.example.Mail",
      "--yes",
      "--socket",
      socket
    )

    #expect(words == "\(mail.count) entries were forgotten.")
    try daemon?.stop()
    #expect(try log.printed("--app", "org.example.Mail") == [])
    #expect(try log.printed("--type", "forgotten") == mail)
    #expect(try log.printed().starts(with: all))
    #expect(try log.printed("--app", "org.example.Files", "--type", "announcement").count == 360)
    let (status, output) = try log.run("verify")
    #expect(status == 0, "\(output)")
    for file in try FileManager.default.contentsOfDirectory(atPath: log.path) {
      let text = try String(contentsOfFile: "\(log.path)/\(file)", encoding: .utf8)
      // As this app's announcements are.
      #expect(!text.contains(/"\d\/0\/\d/), "\(file)")
    }
  }
}
