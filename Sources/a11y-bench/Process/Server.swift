// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A daemon or a relay, whose process ends with this object.
final class Server {
  let process: pid_t
  /// The home, which must not be removed before the process has ended.
  let home: Home
  /// The time from the start of the program to its ready line.
  let startNanoseconds: Int
  /// The longest time of a clean stop.
  private static let stopNanoseconds = 30_000_000_000

  private let name: String
  private let speech: ChildOutput
  private var isRunning = true

  /// Starts `subject` in `home` and waits until it is ready.
  ///
  /// `relayArguments` are further options for a relay.
  init(
    _ subject: RoundSubject,
    in home: Home,
    relayArguments: [String] = []
  ) throws(BenchFailure) {
    let program: String
    let arguments: [String]
    switch subject {
    case .daemon(let path):
      program = path
      arguments = [
        "--config", home.configuration, "--socket", home.socket, "--state", home.state,
      ]
    case .peer:
      program = "/proc/self/exe"
      arguments = ["--relay", home.socket] + relayArguments
    }
    name = subject.name
    self.home = home
    let started = Clock.nanoseconds()
    let child = try Child.start(program, arguments, home: home.path)
    process = child.process
    speech = ChildOutput(readingFrom: child.standardError, of: name)
    guard speech.waitUntilReady() else {
      isRunning = false
      Leftovers.end(process)
      throw BenchFailure("\(name) did not become ready")
    }
    startNanoseconds = Clock.nanoseconds() - started
  }

  deinit { end() }

  /// Asks for a clean stop and insists on a clean exit code.
  func stop() throws(BenchFailure) {
    kill(process, SIGTERM)
    let deadline = Clock.nanoseconds() + Server.stopNanoseconds
    var status: Int32?
    while status == nil {
      guard Clock.nanoseconds() < deadline else { throw BenchFailure("\(name) does not stop") }
      Clock.sleep(milliseconds: 1)
      status = Leftovers.reap(process)
    }
    isRunning = false
    guard let status, status == 0 else {
      throw BenchFailure("\(name) ended with wait status \(status ?? 0)")
    }
  }

  /// Kills the process.
  func end() {
    guard isRunning else { return }
    isRunning = false
    Leftovers.end(process)
  }

  /// The processor time up to this moment; the scheduler's own account is as old as its last tick.
  func processorNanosecondsNow() throws(BenchFailure) -> Int {
    try CPUTime.nanosecondsNow(of: process)
  }

  /// The processor time so far, by the scheduler's account.
  func processorNanoseconds() throws(BenchFailure) -> Int {
    try CPUTime.nanoseconds(of: process)
  }

  /// Asks for the last seq.
  func last() throws(BenchFailure) -> Int {
    try ask("ping", for: #""last":"#)
  }

  /// Asks for the number of turns.
  func turns() throws(BenchFailure) -> Int {
    try ask("stats", for: #""turns":"#)
  }

  /// Sends a request on a connection of its own and returns the number behind `name` in the reply.
  private func ask(_ operation: String, for name: StaticString) throws(BenchFailure) -> Int {
    let client = try Socket(connectingTo: home.socket)
    try client.deliver(#"{"id":1,"op":"\#(operation)"}"# + "\n")
    let buffer = LineBuffer()
    var rest: [UInt8] = []
    var found: Int?
    var interest = pollfd(fd: client.number, events: Int16(POLLIN), revents: 0)
    while found == nil {
      guard poll(&interest, 1, Poller.patienceMilliseconds) > 0 else {
        throw BenchFailure("\(self.name) does not answer a \(operation)")
      }
      let open = try buffer.read(from: client, rest: &rest) { line throws(BenchFailure) in
        guard let value = number(behind: name, in: line) else {
          throw BenchFailure("a \(operation) was answered: \(quote(line))")
        }
        found = value
      }
      guard open || found != nil else {
        throw BenchFailure("\(self.name) closed the connection of a \(operation)")
      }
    }
    return found ?? 0
  }
}
