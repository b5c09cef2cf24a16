// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// What this version does with a log that a later one has written.
@Suite(.timeLimit(.minutes(hangs)))
struct LaterVersionTests {
  private let files: LogFiles

  init() throws { files = try LogFiles(announcements: 90) }

  /// Changes lines of a segment as a later version might have written them, each with its checksum.
  ///
  /// A last line that counts the others stays out, as when the daemon was killed.
  private func rewrite(_ index: Int, _ change: (inout String) -> Void) throws {
    let lines = try files.lines(index).filter { !$0.hasPrefix("{\"closed\":") }.map { line in
      var body = String(line.dropLast(18))
      change(&body)
      return body + ",\"crc\":\"\(Checksum.text(of: body.utf8))\"}\n"
    }
    try Data(lines.joined().utf8).write(to: URL(filePath: files.file(index)))
  }

  /// The files of the log with their contents.
  private func contents() throws -> [String: Data] {
    let folder = URL(filePath: files.path)
    let paths = try #require(FileManager.default.subpaths(atPath: folder.path))
    return Dictionary(
      uniqueKeysWithValues: paths.compactMap { path in
        (try? Data(contentsOf: folder.appending(path: path))).map { (path, $0) }
      }
    )
  }

  @Test func `a log of a later format is left as it is, and the daemon says why`() throws {
    try rewrite(files.segments().count - 1) { line in
      if line.hasPrefix("{\"format\":1,") { line.replace("\"format\":1", with: "\"format\":2") }
    }
    let before = try contents()
    let home = try ScratchDirectory()

    let daemon = try DaemonProcess(
      ["--state", files.path, "--socket", home("bus.sock")],
      environment: RunningDaemon.home(in: home)
    )

    #expect(try daemon.end() == .exited(74))
    let words = "was written by a later version: it has format 2, and this version knows format 1"
    #expect(daemon.said.contains(words), "\(daemon.said)")
    #expect(try contents() == before)
    for command in [["log", "cat"], ["log", "verify"], ["why"]] {
      let result = try Command(LogFiles.tool, command + ["--log", files.path]).run()
      #expect(result.status == 74 && result.output.contains(words), "\(command)")
    }
  }

  @Test func `entries of a type that a later version knows are read, served and kept`() throws {
    let index = try files.last()
    let seq = try #require(files.seqs(index).last { try files.printed().contains($0) })
    let target = try #require(
      files.lines(index).last { $0.contains("\"type\":\"announcement\"") }
        .map { try Entry($0).seq }
    )
    try rewrite(index) { line in
      guard line.hasPrefix("{\"seq\":\(target),") else { return }
      line.replace(
        "\"type\":\"announcement\"",
        with: "\"type\":\"hologram\",\"depth\":{\"of\":[1,null]}"
      )
    }
    let line = try #require(files.lines(index).first { $0.contains("hologram") })

    let cat = try files.output("cat")
    let verdict = try files.run("verify")
    let daemon = try files.start()
    let subscriber = try daemon.connect()
    try subscriber.subscribe(",\"from\":\"start\"")
    var served: [String] = []
    while served.last.map({ !$0.hasPrefix("{\"seq\":\(seq),") }) ?? true {
      served.append(try subscriber.line())
    }

    #expect(cat.contains("hologram"), "\(cat.suffix(300))")
    #expect(!verdict.output.contains("damage"), "\(verdict.output)")
    #expect(served.contains(line))
    #expect(try daemon.stop() == .exited(0))
    #expect(try files.lines(index).contains(line))
  }

  @Test func `a replay names the version whose decisions are on record`() throws {
    for index in try files.segments().indices {
      try rewrite(index) { line in
        line.replace("\"server\":\"a11yd/", with: "\"server\":\"a11yd/9.")
        // A decision that this version does not make.
        line.replace("\"type\":\"outcome\",", with: "\"type\":\"outcome\",\"later\":true,")
      }
    }

    let words = try Command(LogFiles.tool, ["replay", files.path]).run()
    let json = try Command(LogFiles.tool, ["replay", "--json", files.path]).run()

    #expect(words.status == 1)
    #expect(words.output.contains("The log was decided by a11yd/9."), "\(words.output)")
    #expect(try JSON(json.output)["was_by"].string?.hasPrefix("a11yd/9.") == true)
  }
}
