// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11ySpeech
import Systemd

/// The connection with speech-dispatcher, and the process behind it.
///
/// Where nobody listens at the address, speech-dispatcher is started as a child of ours, with our
/// environment. No call waits.
final class SpeechDispatcher {
  /// The news of the connection.
  enum News {
    /// A connection, with the numbers of those of ours that have ended.
    case opened(earlier: [Int])
    case failed(String)
    case bytes([UInt8])
    case closed
  }

  private let address: SpeechAddress
  private let loop: EventLoop
  private let onNews: (News) -> Void
  private var stream: LoopStream?
  private var child: ChildProcess?
  /// A speech-dispatcher that is being ended; its socket takes connections until it has gone.
  private var leaving: ChildProcess?
  /// Somebody else's speech-dispatcher that is being ended.
  private var leavingStranger: Int32?
  private var attempt: Timer?
  /// The moment at which the attempts to connect end.
  private var patienceEnds: UInt64 = 0
  private var workload = SpeechWork()

  private static let program = "speech-dispatcher"
  /// The beginning of the names of its synthesizers.
  private static let helperName = "sd_"
  /// The time in which a new speech-dispatcher takes connections; it loads its synthesizers first.
  private static let patience: UInt64 = 10_000_000
  private static let betweenAttempts: UInt64 = 25_000

  init(
    _ address: SpeechAddress,
    on loop: EventLoop,
    onNews: @escaping (News) -> Void
  ) throws(Errno) {
    self.address = address
    self.loop = loop
    self.onNews = onNews
    attempt = try Timer(on: .monotonic, priority: .normal, on: loop) { [unowned self] in
      tryToConnect()
    }
  }

  // MARK: Connecting

  /// Connects, and starts speech-dispatcher where nobody listens.
  func connect() {
    disconnect()
    patienceEnds = SystemClock.monotonicMicroseconds() + Self.patience
    tryToConnect()
  }

  private func tryToConnect() {
    if leaving?.isRunning == true { return waitOrFail("it does not end") }
    leaving = nil
    do throws(Errno) {
      let descriptor = try UnixStream.connectAtOnce(path: address.path)
      // A process that ends takes connections until its last thread has gone.
      if let leavingStranger, try descriptor.peer().pid == leavingStranger {
        return waitOrFail("it does not end")
      }
      leavingStranger = nil
      try adopt(descriptor)
      onNews(.opened(earlier: SpeechLife.earlier(at: server).map { [$0] } ?? []))
    } catch .noSuchFile, .connectionRefused {
      startOrWait()
    } catch .wouldBlock {
      waitOrFail("it takes no connections")
    } catch {
      onNews(.failed("speech-dispatcher cannot be reached: \(error)"))
    }
  }

  private func adopt(_ descriptor: consuming FileDescriptor) throws(Errno) {
    stream = try LoopStream(descriptor, on: loop) { [unowned self] news in
      switch news {
      case .bytes(let bytes): onNews(.bytes(bytes))
      case .sent: break
      case .gone:
        disconnect()
        onNews(.closed)
      }
    }
  }

  private func startOrWait() {
    guard child?.isRunning != true else { return waitOrFail("it does not take connections") }
    // Its synthesizers may have outlived it.
    child?.killGroup()
    do throws(Errno) {
      try? Directory.create(Self.directory(of: address.path), mode: 0o700)
      child = try ChildProcess(address.serverCommand)
      waitOrFail("it does not start")
    } catch .noSuchFile {
      onNews(.failed("speech-dispatcher is not installed"))
    } catch {
      onNews(.failed("speech-dispatcher cannot be started: \(error)"))
    }
  }

  private func waitOrFail(_ trouble: String) {
    if SystemClock.monotonicMicroseconds() < patienceEnds {
      attempt?.arm(afterMicroseconds: Self.betweenAttempts)
    } else {
      leavingStranger = nil
      onNews(.failed("speech-dispatcher: \(trouble)"))
    }
  }

  private static func directory(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  // MARK: Bytes

  /// Sends as much as speech-dispatcher takes; the rest goes with the next call.
  ///
  /// One command is under way at a time, so the rest is never more than one text.
  func send(_ text: String) { stream?.send(Array(text.utf8)) }

  private func disconnect() {
    stream = nil
    attempt?.disarm()
  }

  // MARK: Repairs

  /// Has speech-dispatcher start synthesizers that have ended.
  func revive() {
    if let process { Processes.signal(.user1, to: process) }
  }

  /// Ends all synthesizers, which may hang, and speech-dispatcher too if it is ours; then connects.
  func restart() {
    if let child, child.isRunning {
      child.killGroup()
      (leaving, self.child) = (child, nil)
    } else if let process {
      killHelpers(of: process)
      Processes.signal(.user1, to: process)
    }
    connect()
  }

  /// Ends speech-dispatcher with its synthesizers, whoever has started it; then connects.
  func replace() {
    if child?.isRunning != true, let process {
      killHelpers(of: process)
      Processes.signal(.kill, to: process)
      leavingStranger = process
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
    disconnect()
    guard let child, child.isRunning else { return false }
    child.terminate()
    return true
  }

  /// Ends the speech-dispatcher that is ours, whatever it does.
  func kill() { child?.killGroup() }

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
    if let server { SpeechLife.remember(number, at: server) }
  }

  /// The process whose life the numbers of clients belong to; nil where it is not known.
  private var server: Int32? {
    if let process { return process }
    guard let peer = stream?.peer else { return nil }
    // A service manager holds the socket over several lives of speech-dispatcher.
    return Processes.name(of: peer) == "systemd" ? nil : peer
  }

  /// The process at the other end: the one that has made the socket, or the one in its file.
  private var process: Int32? {
    if let child, child.isRunning { return child.id }
    return [stream?.peer, recordedProcess].compactMap { $0 }.first {
      Processes.name(of: $0).map { Self.program.hasPrefix($0) } ?? false
    }
  }

  private var recordedProcess: Int32? {
    let record =
      address.isUsual
      ? Self.directory(of: address.path) + "/pid/speech-dispatcher.pid" : address.path + ".pid"
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
