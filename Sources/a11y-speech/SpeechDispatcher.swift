// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCompanion
import A11yPosix
import A11ySpeech
import Systemd

/// The connection with speech-dispatcher, and the processes behind it.
final class SpeechDispatcher {
  private let address: SpeechAddress
  private let server: SpeechServer
  private let line: SpeechLine
  private var workload = SpeechWork()

  private static let program = "speech-dispatcher"
  /// The beginning of the names of its synthesizers.
  private static let helperName = "sd_"

  init(
    _ address: SpeechAddress,
    on loop: EventLoop,
    onNews: @escaping (SpeechLine.News) -> Void
  ) throws(Errno) {
    self.address = address
    server = SpeechServer(path: address.path, command: address.serverCommand)
    line = try SpeechLine(to: server, on: loop, onNews: onNews)
  }

  /// Connects, and starts speech-dispatcher where nobody listens.
  func connect() { line.connect() }

  func send(_ text: String) { line.send(text) }

  // MARK: Repairs

  /// Has speech-dispatcher start synthesizers that have ended.
  func revive() {
    if let process { Processes.signal(.user1, to: process) }
  }

  /// Ends all synthesizers, which may hang, and speech-dispatcher too if it is ours; then connects.
  func restart() {
    if server.isChild {
      server.killChild()
    } else if let process {
      killHelpers(of: process)
      Processes.signal(.user1, to: process)
    }
    connect()
  }

  /// Ends speech-dispatcher with its synthesizers, whoever has started it; then connects.
  func replace() {
    if !server.isChild, let process {
      killHelpers(of: process)
      server.kill(stranger: process)
      connect()
    } else {
      restart()
    }
  }

  private func killHelpers(of process: Int32) {
    for helper in Processes.helpers(of: process, named: Self.helperName) {
      Processes.signal(.kill, to: helper)
    }
  }

  /// Asks the speech-dispatcher that is ours to end; false where there is none.
  func terminate() -> Bool {
    line.hangUp()
    guard server.isChild else { return false }
    server.child?.terminate()
    return true
  }

  /// Ends the speech-dispatcher that is ours, whatever it does.
  func kill() { server.child?.killGroup() }

  // MARK: Processes

  /// The time that the busiest process of speech-dispatcher has worked since the last call, in
  /// microseconds; nil where none is to be seen.
  func work() -> Int64? {
    // Behind a socket that somebody stands before, it is one of those of this user.
    let roots = process.map { [$0] } ?? Processes.named(String(Self.program.prefix(15)))
    return workload.measure(roots, helpers: Self.helperName)
  }

  /// Keeps our number at speech-dispatcher for a later life.
  func remember(_ number: Int) {
    if let life { SpeechLife.remember(number, at: life) }
  }

  /// The numbers of connections of ours that have ended.
  var earlier: [Int] { SpeechLife.earlier(at: life).map { [$0] } ?? [] }

  /// The process whose life the numbers of clients belong to; nil where it is not known.
  private var life: Int32? {
    if let process { return process }
    guard let peer = line.peer else { return nil }
    // A service manager holds the socket over several lives of speech-dispatcher.
    return Processes.name(of: peer) == "systemd" ? nil : peer
  }

  /// The process at the other end: the one that has made the socket, or the one in its file.
  private var process: Int32? {
    if server.isChild { return server.child?.id }
    return [line.peer, recordedProcess].compactMap { $0 }.first {
      Processes.name(of: $0).map { Self.program.hasPrefix($0) } ?? false
    }
  }

  private var recordedProcess: Int32? {
    let record =
      address.isUsual
      ? server.directory + "/pid/speech-dispatcher.pid" : address.path + ".pid"
    guard let bytes = try? File.read(record, limit: 64) else { return nil }
    return Int32(String(decoding: bytes.filter { (0x30...0x39).contains($0) }, as: UTF8.self))
  }
}

/// Our number at speech-dispatcher, kept for the next connection.
///
/// speech-dispatcher speaks on for a client that has died, and whoever knows its number can silence
/// it. The number stands in a file of the runtime directory, with the two processes by which it has
/// a meaning: speech-dispatcher, which gives the numbers, and the voice, which must have ended.
enum SpeechLife {
  private static let path = Environment.value("XDG_RUNTIME_DIR").map { $0 + "/a11yd/voice" }

  /// The number of our last connection with a speech-dispatcher, if it is over.
  static func earlier(at server: Int32?) -> Int? {
    guard let path, let server, let bytes = try? File.read(path, limit: 256) else { return nil }
    let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 3, let number = Int(words[0]), words[1] == name(of: server) else {
      return nil
    }
    // Another voice that lives speaks for itself.
    let isOurs = words[2] == name(of: Processes.own)
    let owner = words[2].prefix { $0 != "-" }
    guard isOurs || Int32(owner).map({ name(of: $0) != words[2] }) == true else { return nil }
    return number
  }

  static func remember(_ number: Int, at server: Int32) {
    guard let path else { return }
    let words = "\(number) \(name(of: server)) \(name(of: Processes.own))\n"
    do throws(Errno) {
      try Directory.create(String(path.dropLast("/voice".count)), mode: 0o700)
      let file = try FileDescriptor.open(path, [.writeOnly, .create, .truncate, .noFollow])
      try file.writeAll(Array(words.utf8).span)
    } catch {
      // Without it the next life waits until the old words have been spoken.
    }
  }

  /// A name that no other process ever bears.
  private static func name(of process: Int32) -> String {
    "\(process)-\(Processes.beginning(of: process) ?? 0)"
  }
}

/// The work of the processes of speech-dispatcher, from one look to the next.
struct SpeechWork {
  private var roots: [Int32] = []
  /// The time that each process has worked by the last look, in nanoseconds.
  private var last: [Int32: UInt64] = [:]

  /// A thousandth of the time between two looks; who has done less than this is looked for anew.
  private static let little: Int64 = 1_000

  /// The most that one process has worked since the last call, in microseconds; nil where there is
  /// none to be seen.
  mutating func measure(_ roots: [Int32], helpers name: String) -> Int64? {
    let known = roots == self.roots ? compare(Array(last.keys)) : nil
    if let known, known >= Self.little { return known }
    // Finding the processes costs more than looking at them, and is done while nothing stirs.
    self.roots = roots
    let helpers = roots.flatMap { Processes.helpers(of: $0, named: name) }
    let found = compare(Processes.families(of: roots + helpers))
    return [known, found].compactMap { $0 }.max()
  }

  private mutating func compare(_ processes: [Int32]) -> Int64? {
    let before = last
    last = [:]
    var most: Int64?
    for process in processes {
      guard let work = Processes.work(of: process) else { continue }
      last[process] = work
      let more = before[process].map { work > $0 ? work - $0 : 0 } ?? 0
      most = max(most ?? 0, Int64(clamping: more / 1_000))
    }
    return most
  }
}
