// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// A command line, to be run in one of three ways.
struct Command {
  let program: String
  let arguments: [String]
  /// Variables beside those of the tests.
  let environment: [String: String]

  init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) {
    self.program = program
    self.arguments = arguments
    self.environment = environment
  }

  /// Longer than any command takes beside all other tests, one under valgrind too.
  private static let patience = Duration.seconds(600)

  /// Runs to the end; standard output and error together, without the last newline.
  func run() throws -> (status: Int32, output: String) {
    let (process, output) = try start(errorsToo: true)
    let deadline = Deadline(after: Self.patience)
    var bytes: [UInt8] = []
    while true {
      var poll = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
      guard Foundation.poll(&poll, 1, deadline.millisecondsLeft) > 0 else {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        throw Missing("the end of \(self); it said: \(String(decoding: bytes, as: UTF8.self))")
      }
      let piece = output.availableData
      if piece.isEmpty { break }
      bytes += piece
    }
    process.waitUntilExit()
    let text = String(decoding: bytes, as: UTF8.self)
    return (process.terminationStatus, text.hasSuffix("\n") ? String(text.dropLast()) : text)
  }

  /// Runs to the end, which must be a good one.
  func output() throws -> String {
    let result = try run()
    try #require(result.status == 0, "\(arguments.joined(separator: " ")): \(result.output)")
    return result.output
  }

  /// Starts it; what it prints is for nobody.
  func begin() throws -> Process {
    let process = prepared()
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Starts it, to be read line by line.
  func beginReading() throws -> (Process, Lines) {
    let (process, output) = try start(errorsToo: false)
    return (process, Lines(output))
  }

  private func start(errorsToo: Bool) throws -> (Process, FileHandle) {
    let process = prepared()
    let output = Pipe()
    process.standardOutput = output
    if errorsToo { process.standardError = output }
    try process.run()
    return (process, output.fileHandleForReading)
  }

  private func prepared() -> Process {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    return process
  }
}

/// The lines that come out of a pipe, with a wait for each.
final class Lines: Sequence, IteratorProtocol {
  private let handle: FileHandle
  private var rest = Data()

  init(_ handle: FileHandle) { self.handle = handle }

  func next() -> String? {
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: rest[..<end], as: UTF8.self)
        rest = Data(rest[(end + 1)...])
        return line
      }
      let more = handle.availableData
      if more.isEmpty { return nil }
      rest += more
    }
  }
}
