// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// The tables of docs/fleet/clickhouse.sql in a real ClickHouse, which chdb-core of PyPI runs in a
/// process of Python.
@Suite(.timeLimit(.minutes(hangs)))
struct ClickHouseTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardizedFileURL
  private static let packages = root.appending(path: ".build/fleet").path

  private static var isThere: Bool {
    FileManager.default.fileExists(atPath: "\(packages)/chdb")
  }

  private static let program = """
    import sys
    from chdb import session
    place, schema, lines, *questions = sys.argv[1:]
    store = session.Session(place)
    text = "".join(line.partition("--")[0] + "\\n" for line in open(schema))
    for statement in text.split(";"):
        if statement.strip():
            store.query(statement)
    store.query("INSERT INTO a11yd.lines (machine, epoch, line) SELECT * FROM file('" + lines
                + "', TSVRaw, 'machine String, epoch String, line String')")
    for question in questions:
        print(str(store.query(question, "TSV")).strip().replace("\\n", ";").replace("\\t", " "))
    """

  /// The answers to questions about these lines, rows with semicolons between.
  private func ask(_ lines: [String], _ questions: [String]) throws -> [String] {
    let files = try ScratchDirectory()
    try lines.joined(separator: "\n").write(
      toFile: files("lines"),
      atomically: true,
      encoding: .utf8
    )
    let schema = Self.root.appending(path: "docs/fleet/clickhouse.sql").path
    let answer = try Command(
      "/usr/bin/python3",
      ["-c", Self.program, files("store"), schema, files("lines")] + questions,
      environment: ["PYTHONPATH": Self.packages]
    ).output()
    return answer.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test(.enabled(if: isThere, "chdb-core is not in .build/fleet"))
  func `a real log is sorted, counted and forgotten`() throws {
    let daemon = try RunningDaemon()
    for app in ["org.gone", "org.kept"] {
      let client = try daemon.connect()
      try client.hello(app)
      for number in 0..<5 {
        _ = try client.publishAccepted(#"{"type":"announcement","text":"\#(app) \#(number)"}"#)
      }
    }
    func logged() throws -> [String] {
      try daemon.linesOnDisk().filter { $0.hasPrefix("{\"seq\":") }
    }
    // Without a reader each text is lost.
    try waitUntil("the ends") {
      try logged().count { $0.contains(#""result":"undeliverable""#) } == 10
    }
    let before = try logged()
    let ask = #"{"id":1,"op":"forget","apps":["org.gone"]}"#
    let count = try #require(try daemon.connect().ask(ask)["ok"]["count"].integer)
    var forgot: String?
    try waitUntil("the entry about it") {
      forgot = try logged().last { $0.contains(#""type":"forgot""#) }
      return forgot != nil
    }
    let epoch = daemon.ready.epoch
    let lines =
      before.map { "m\t\(epoch)\t\($0)" }
      // Copies, of an agent that sends again; another life of the machine; a gap.
      + before.suffix(7).map { "m\t\(epoch)\t\($0)" } + before.map { "m\tearlier\t\($0)" }
      + [
        "m\t\(epoch)\t\(forgot ?? "")",
        #"m\#t\#(epoch)\#t{"mark":"gap","from":900,"to":950,"reason":"retention"}"#,
      ]

    let answers = try self.ask(
      lines,
      [
        "SELECT epoch = '\(epoch)', count() FROM a11yd.lines FINAL GROUP BY epoch ORDER BY 1",
        "SELECT countIf(epoch = 'earlier'), count() FROM a11yd.forgotten",
        "SELECT app, machines, heard, lost FROM a11yd.unheard_by_app ORDER BY app",
        "SELECT machine, entries FROM a11yd.machines",
        "SELECT from_seq, to_seq, reason FROM a11yd.gaps",
        "ALTER TABLE a11yd.lines DELETE WHERE (machine, epoch, seq) IN a11yd.forgotten"
          + " SETTINGS mutations_sync = 1",
        "SELECT countIf(line LIKE '%org.gone%') FROM a11yd.lines WHERE epoch = '\(epoch)'",
      ]
    )

    try #require(answers.count >= 7, "\(answers)")
    #expect(answers[0] == "0 \(before.count);1 \(before.count + 2)")
    // Copies count once more until they have been merged.
    let forgotten = answers[1].split(separator: " ")
    #expect(forgotten.first == "0" && Int64(forgotten.last ?? "") ?? 0 >= count)
    #expect(answers[2] == "org.gone 1 0 10;org.kept 1 0 10")
    #expect(answers[3] == "m \(2 * before.count + 1)")
    #expect(answers[4] == "900 950 retention")
    #expect(answers[6] == "0")
  }
}
