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
