// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yTestKit
import A11yWire
import Foundation
import Testing

@testable import a11yctl

/// The places that have entries: all of them answer the same questions alike.
@Suite(.timeLimit(.minutes(hangs)))
struct EntrySourceTests {
  private let daemon: RunningDaemon
  private let scratch: ScratchDirectory

  init() throws {
    daemon = try RunningDaemon()
    scratch = try ScratchDirectory()
  }

  /// What a source says of a text that was spoken, and of its repetition, which was not.
  private struct Answers: Equatable {
    let spoken: [String]
    let unheard: [Seq]
    let sentence: String?
    let time: Int64?
  }

  private func answers(_ source: any EntrySource, about seq: Seq) throws -> Answers {
    try source.needEntries()
    return Answers(
      spoken: try source.fold(SpokenHistory(count: 10)).utterances.map(\.text),
      unheard: try source.unheard(app: "org.x", atMost: 10),
      sentence: try source.explain(seq)["sentence"]?.string,
      time: try source.time(of: seq)
    )
  }

  private func log(_ path: String) throws -> LogReader {
    try LogReader(path, Progress("Read", clock: { 0 }, onProgress: nil))
  }

  /// An engine whose program prints these lines, as those of one machine.
  private func engine(_ lines: String) throws -> a11yctl.FleetEngine {
    let program = scratch("engine")
    try Data("#!/bin/sh\nsed 's/^/desk e /' \(lines)\n".utf8).write(to: URL(filePath: program))
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
    return a11yctl.FleetEngine(address: nil, program: program)
  }

  @Test func `the bus, its log as a directory, a file and a stream, and an engine`() throws {
    let reader = try daemon.connect()
    try reader.hello("reader", role: "reader")
    try reader.subscribe(#","filter":{"types":["deliver"]}"#)
    let app = try daemon.connect()
    try app.hello("org.x")
    try app.publishAccepted(#"{"type":"announcement","text":"Saved"}"#)
    let seq = Seq(try app.publishAccepted(#"{"type":"announcement","text":"Saved"}"#))
    let lines = scratch("lines")
    let text = try Command(LogFiles.tool, ["log", "cat", "--json", daemon.state]).output()
    try Data("\(text)\n".utf8).write(to: URL(filePath: lines))
    let stream = Pipe()
    try stream.fileHandleForWriting.write(contentsOf: Data("\(text)\n".utf8))
    try stream.fileHandleForWriting.close()

    let expected = try answers(BusEntries(daemon.socket), about: seq)

    #expect(expected.spoken == ["Saved"])
    #expect(expected.unheard == [seq])
    #expect(expected.sentence?.contains("was not heard") == true)
    #expect(try answers(log(daemon.state), about: seq) == expected)
    #expect(try answers(log(lines), about: seq) == expected)
    let descriptor = stream.fileHandleForReading.fileDescriptor
    #expect(try answers(log("/dev/fd/\(descriptor)"), about: seq) == expected)
    let machine = try MachineEntries(of: "desk", in: engine(lines))
    #expect(try answers(machine, about: seq) == expected)
    reader.close()
  }
}
