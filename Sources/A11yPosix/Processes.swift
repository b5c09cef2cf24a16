// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Other processes of this machine, as far as the kernel lets this user see and signal them.
package enum Processes {
  package enum Signal {
    case terminate
    case kill
    case user1
    /// Has a stopped process go on.
    case goOn

    fileprivate var number: Int32 {
      switch self {
      case .terminate: SIGTERM
      case .kill: SIGKILL
      case .user1: SIGUSR1
      case .goOn: SIGCONT
      }
    }
  }

  /// The most processes, and descriptors of one, that are looked at.
  private static let mostProcesses = 32_768
  private static let mostDescriptors = 1_024
  private static let mostThreads = 1_024

  /// This process.
  package static var own: Int32 { getpid() }

  /// Signals a process or, by a negative number, a group; one that is gone is no fault.
  package static func signal(_ signal: Signal, to process: Int32) {
    _ = linux_kill(process, signal.number)
  }

  /// The name of a process, at most 15 bytes of it; nil where there is none.
  package static func name(of process: Int32) -> String? {
    guard let bytes = try? File.read("/proc/\(process)/comm", limit: 64) else { return nil }
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  /// The processes of this user with this name, as far as 15 bytes tell it.
  package static func named(_ name: String) -> [Int32] {
    guard let all = try? Directory.names("/proc", atMost: mostProcesses) else { return [] }
    return all.compactMap { Int32($0) }.filter { process in
      guard self.name(of: process) == name else { return false }
      return owner(of: process) == Environment.uid
    }
  }

  /// A variable of the environment that a process was started with.
  package static func variable(_ name: String, of process: Int32) -> String? {
    guard let bytes = try? File.read("/proc/\(process)/environ", limit: 1 << 20) else { return nil }
    let start = Array("\(name)=".utf8)
    return bytes.split(separator: 0).first { $0.starts(with: start) }
      .map { String(decoding: $0.dropFirst(start.count), as: UTF8.self) }
  }

  /// The moment at which a process was started, in the kernel's ticks; with its number it names the
  /// process for good.
  package static func beginning(of process: Int32) -> UInt64? {
    figures(of: process).flatMap { $0.count > 19 ? UInt64($0[19]) : nil }
  }

  /// The time that all threads of a process have worked, in nanoseconds; nil where the kernel does
  /// not tell.
  package static func work(of process: Int32) -> UInt64? {
    let folder = "/proc/\(process)/task"
    guard let threads = try? Directory.names(folder, atMost: mostThreads), !threads.isEmpty else {
      return nil
    }
    var work: UInt64 = 0
    for thread in threads {
      guard let bytes = try? File.read("\(folder)/\(thread)/schedstat", limit: 256),
        let figure = UInt64(String(decoding: bytes.prefix { $0 != 0x20 }, as: UTF8.self))
      else { continue }
      work += figure
    }
    return work
  }

  /// Processes with all that they have started, and all that those have.
  package static func families(of roots: [Int32]) -> [Int32] {
    guard let all = try? Directory.names("/proc", atMost: mostProcesses) else { return roots }
    var children: [Int32: [Int32]] = [:]
    for process in all.compactMap({ Int32($0) }) {
      guard let parent = figures(of: process).flatMap({ Int32($0[1]) }) else { continue }
      children[parent, default: []].append(process)
    }
    var family = roots
    var next = 0
    while next < family.count {
      family += (children[family[next]] ?? []).filter { !family.contains($0) }
      next += 1
    }
    return family
  }

  /// The figures of `/proc/PID/stat` behind the name, from the state on.
  private static func figures(of process: Int32) -> [Substring]? {
    guard let bytes = try? File.read("/proc/\(process)/stat", limit: 4_096),
      let end = bytes.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    let figures = String(decoding: bytes[(end + 1)...], as: UTF8.self).split(separator: " ")
    return figures.count > 1 ? figures : nil
  }

  private static func owner(of process: Int32) -> UInt32? {
    var status = linux_status()
    return linux_status_of("/proc/\(process)", &status) == 0 ? status.owner : nil
  }

  /// The processes with a name of this beginning that share a pipe with a process.
  ///
  /// A helper that has been stopped, or has been given to another parent, is found in this way.
  package static func helpers(of process: Int32, named beginning: String) -> [Int32] {
    let pipes = pipes(of: process)
    guard !pipes.isEmpty, let all = try? Directory.names("/proc", atMost: mostProcesses) else {
      return []
    }
    return all.compactMap { Int32($0) }.filter { other in
      guard other != process, let name = name(of: other), name.hasPrefix(beginning) else {
        return false
      }
      return !pipes.isDisjoint(with: self.pipes(of: other))
    }
  }

  private static func pipes(of process: Int32) -> Set<String> {
    let folder = "/proc/\(process)/fd"
    guard let numbers = try? Directory.names(folder, atMost: mostDescriptors) else { return [] }
    return Set(
      numbers.compactMap { number in
        target(of: "\(folder)/\(number)").flatMap { $0.hasPrefix("pipe:") ? $0 : nil }
      }
    )
  }

  /// The target of a symbolic link of `/proc`.
  private static func target(of link: String) -> String? {
    withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
      let count = linux_read_link(link, buffer.baseAddress!, buffer.count)
      guard count > 0 else { return nil }
      return String(decoding: buffer.prefix(Int(count)), as: UTF8.self)
    }
  }
}

/// A program that this process has started.
package final class ChildProcess {
  package let id: Int32
  /// The exit code, or 128 and the number of the signal that has ended the program; nil while it
  /// runs, as far as is known.
  package private(set) var code: Int32?
  /// The signal that has ended the program; nil where it has ended by itself, or runs.
  package private(set) var signal: Int32?
  /// Whether the kernel has given the number back, which then may name somebody else.
  private var hasEnded = false
  /// The target of signals: the program's process group, if it has one of its own.
  private let target: Int32

  /// Descriptors of ours that the program gets; without one it reads nothing, or its words go
  /// nowhere.
  package struct Streams {
    package var input: Int32 = -1
    package var output: Int32 = -1
    package var errors: Int32 = -1

    package init(input: Int32 = -1, output: Int32 = -1, errors: Int32 = -1) {
      self.input = input
      self.output = output
      self.errors = errors
    }
  }

  /// Starts a program, looked up like in a shell.
  ///
  /// - Parameters:
  ///   - words: The program and its arguments.
  ///   - environment: Its environment, as `NAME=VALUE`; ours where it is nil.
  ///   - streams: Its standard streams.
  ///   - hasGroup: Whether it gets a process group of its own.
  /// - Throws: The reason why it cannot be started.
  package init(
    _ words: [String],
    environment: [String]? = nil,
    _ streams: Streams = Streams(),
    hasGroup: Bool = true
  ) throws(Errno) {
    let words = CStrings(words)
    let environment = environment.map(CStrings.init)
    var start = linux_start(
      words: UnsafePointer(words.pointers),
      environment: environment.map { UnsafePointer($0.pointers) },
      streams: (streams.input, streams.output, streams.errors),
      has_group: hasGroup ? 1 : 0
    )
    id = try Errno.check(withExtendedLifetime((words, environment)) { linux_spawn(&start) })
    target = hasGroup ? 0 - id : id
  }

  /// Whether the program runs; an ended one is taken note of.
  package var isRunning: Bool {
    guard !hasEnded else { return false }
    var (code, signal) = (Int32(0), Int32(0))
    let result = linux_reap(id, &code, &signal)
    hasEnded = result != 0
    if result == 1 {
      self.code = code
      self.signal = signal == 0 ? nil : signal
    }
    return !hasEnded
  }

  /// Asks the program to end.
  package func terminate() {
    if isRunning { Processes.signal(.terminate, to: id) }
  }

  /// Asks the program to end, with all processes of its group, if it has one of its own.
  package func terminateGroup() {
    // A process that was stopped must go on to hear of it.
    for signal in [Processes.Signal.terminate, .goOn] { Processes.signal(signal, to: target) }
  }

  /// Ends the program and all processes of its group, stopped ones too.
  package func killGroup() {
    // The group outlives its leader as long as it has members; the leader alone is not killed
    // twice, because its number may name somebody else by now.
    if target < 0 || isRunning { Processes.signal(.kill, to: target) }
    _ = isRunning
  }
}

/// Strings for C, in a list that ends with NULL.
private final class CStrings {
  let pointers: UnsafeMutablePointer<UnsafePointer<CChar>?>
  private let count: Int

  init(_ strings: [String]) {
    count = strings.count
    pointers = .allocate(capacity: count + 1)
    for (index, string) in strings.enumerated() {
      let text = Array(string.utf8CString)
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: text.count)
      copy.initialize(from: text, count: text.count)
      (pointers + index).initialize(to: UnsafePointer(copy))
    }
    (pointers + count).initialize(to: nil)
  }

  deinit {
    for index in 0..<count { pointers[index]?.deallocate() }
    pointers.deallocate()
  }
}
