// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A daemon or a peer, whose process ends with this object.
final class Server {
  let process: pid_t
  /// The peer that it is; nil for the daemon.
  let peer: Peer?
  /// The home, which must not be removed before the process has ended.
  let home: Home
  /// The address for the server's own library.
  let address: String
  /// The time from the start of the program until it is ready.
  let startNanoseconds: Int
  /// The longest time of a clean stop, and of a start.
  private static let patienceNanoseconds = 60_000_000_000

  private let name: String
  private let speech: ChildOutput
  private let isStarter: Bool
  private var isRunning = true

  /// Starts `subject` in `home` and waits until it is ready.
  ///
  /// `relayArguments` are further options for a relay.
  init(
    _ subject: RoundSubject,
    in home: Home,
    relayArguments: [String] = []
  ) throws(BenchFailure) {
    let launch: ServerLaunch
    switch subject {
    case .daemon(let path):
      peer = nil
      launch = .daemon(path, in: home)
    case .peer(let other):
      peer = other
      launch = try .peer(other, in: home, relayArguments: relayArguments)
    }
    name = subject.name
    address = launch.address
    isStarter = launch.isStarter
    self.home = home
    let started = Clock.nanoseconds()
    let child = try Child.start(launch.program, launch.arguments, home: home.path)
    process = child.process
    speech = ChildOutput(readingFrom: child.standardError, of: name)
    guard Self.waitUntilReady(launch, child.process, home, speech, since: started) else {
      isRunning = false
      startNanoseconds = 0
      Leftovers.end(process)
      throw BenchFailure("\(name) did not become ready; \(speech.lastWords)")
    }
    startNanoseconds = Clock.nanoseconds() - started
  }

  deinit { end() }

  private static func waitUntilReady(
    _ launch: ServerLaunch,
    _ process: pid_t,
    _ home: Home,
    _ speech: ChildOutput,
    since started: Int
  ) -> Bool {
    if case .line = launch.readiness { return speech.waitUntilReady() }
    speech.goOnInBackground()
    while !launch.isReady(in: home) {
      guard Clock.nanoseconds() < started + patienceNanoseconds, Leftovers.isAlive(process) else {
        return false
      }
      Clock.sleep(milliseconds: 1)
    }
    return true
  }

  /// Asks for a clean stop, and insists on a clean exit code.
  func stop() throws(BenchFailure) {
    kill(process, SIGTERM)
    let deadline = Clock.nanoseconds() + Server.patienceNanoseconds
    var status: Int32?
    while status == nil {
      guard Clock.nanoseconds() < deadline else { throw BenchFailure("\(name) does not stop") }
      Clock.sleep(milliseconds: 1)
      status = Leftovers.reap(process)
    }
    isRunning = false
    guard let status, status == 0 || peer != nil else {
      throw BenchFailure("\(name) ended with wait status \(status ?? 0)")
    }
  }

  /// Kills the process.
  func end() {
    guard isRunning else { return }
    isRunning = false
    Leftovers.end(process)
  }

  /// The processes that serve: all that the program has started, and itself unless it only starts
  /// the server.
  private var processes: [pid_t] {
    let children = Files.text("/proc/\(process)/task/\(process)/children") ?? ""
    let started = children.split(separator: " ").compactMap { pid_t($0) }
    return isStarter ? started : [process] + started
  }

  /// The processor time up to this moment; the scheduler's own account is as old as its last tick.
  func processorNanosecondsNow() throws(BenchFailure) -> Int {
    try CPUTime.nanosecondsNow(of: process)
  }

  /// The processor time of all processes so far, by the scheduler's account.
  func processorNanoseconds() throws(BenchFailure) -> Int {
    var total = 0
    for process in processes { total += try CPUTime.nanoseconds(of: process) }
    return total
  }

  /// The resident memory of all processes.
  func residentBytes() throws(BenchFailure) -> Int {
    var total = 0
    for process in processes { total += try ResidentMemory.bytes(of: process) }
    return total
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
