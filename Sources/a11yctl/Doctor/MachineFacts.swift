// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import Glibc

/// The things that the doctor can find out about the machine, so that tests can give others.
struct MachineFacts {
  var environment: (_ name: String) -> String? = Environment.value
  var isThere: (_ path: String) -> Bool = { access($0, F_OK) == 0 }
  var isInstalled: (_ program: String) -> Bool = OtherProgram.isInstalled
  /// The text of a small file; nil where it cannot be read.
  var content: (_ path: String) -> String? = { path in
    (try? File.read(path, limit: longestAnswer)).map { String(decoding: $0, as: UTF8.self) }
  }
  var units = UnitManager()
  /// Runs a program; nil where it cannot be started or has not ended in time.
  var answer: (_ program: String, _ arguments: [String]) -> OtherProgram.Answer? = {
    OtherProgram.answer($0, $1, within: .seconds(10))
  }
  /// Says bytes to a socket, and returns its answer, until that is whole or the other hangs up.
  var talk: (_ path: String, _ question: [UInt8], _ isWhole: ([UInt8]) -> Bool) -> Talk = Self.talk
  /// The processes of this user's session with a name.
  var processes: (_ program: String) -> [Int32] = Self.processes
  /// The free bytes of the file system of a directory.
  var room: (_ path: String) -> Int64? = Self.room
  /// Microseconds since 1970.
  var now: () -> Int64 = SystemClock.wallMicroseconds

  /// The outcome of a question to a socket.
  enum Talk: Equatable {
    /// Nobody listens there: the file of the socket was left behind.
    case nobody
    /// The listener hangs.
    case silence
    case answer([UInt8])
    /// The kernel lets this user not connect.
    case refused(Errno)
  }

  /// The directory of the session's sockets.
  var runtime: String? { environment("XDG_RUNTIME_DIR").flatMap { $0.hasPrefix("/") ? $0 : nil } }

  /// The command that installs a package, on machines of this kind.
  func installing(_ package: String) -> String? {
    isInstalled("apt-get") ? "sudo apt-get install \(package)" : nil
  }

  // MARK: This machine

  /// A server that works answers within milliseconds; one that is started by the question needs a
  /// second.
  private static let patience = Duration.seconds(3)
  private static let longestAnswer = 65_536

  private static func talk(
    _ path: String,
    _ question: [UInt8],
    _ isWhole: ([UInt8]) -> Bool
  ) -> Talk {
    do throws(Errno) {
      // A listener that hangs takes connections for as long as there is room for them.
      return try talk(with: UnixStream.connectAtOnce(path: path), question, isWhole)
    } catch .noSuchFile, .connectionRefused {
      return .nobody
    } catch .wouldBlock {
      return .silence
    } catch {
      return .refused(error)
    }
  }

  private static func talk(
    with socket: borrowing FileDescriptor,
    _ question: [UInt8],
    _ isWhole: ([UInt8]) -> Bool
  ) throws(Errno) -> Talk {
    guard socket.send(question.span) == .sent(question.count) else { return .silence }
    let deadline = Deadline(after: patience)
    var heard: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4_096)
    while heard.count < longestAnswer, !isWhole(heard) {
      guard !deadline.hasPassed,
        try !socket.waitReady(
          for: .readable,
          timeoutMilliseconds: deadline.remaining
        ).isEmpty
      else { return .silence }
      switch piece.withUnsafeMutableBytes({ socket.receive(into: $0) }) {
      case .bytes(let count): heard += piece[..<count]
      case .wouldBlock: continue
      case .ended, .failed: return .answer(heard)
      }
    }
    return .answer(heard)
  }

  /// A process with another session's variables belongs to another bus.
  private static func processes(_ program: String) -> [Int32] {
    let variables = ["XDG_RUNTIME_DIR", "A11YD_SOCKET"]
    return Processes.named(program).filter { process in
      variables.allSatisfy { Processes.variable($0, of: process) == Environment.value($0) }
    }
  }

  private static func room(_ path: String) -> Int64? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    let (bytes, overflow) = Int64(clamping: status.f_bavail)
      .multipliedReportingOverflow(by: Int64(clamping: status.f_frsize))
    return overflow ? .max : bytes
  }
}

/// The systemd that keeps units: the machine's, or the user's own.
struct UnitManager {
  /// Runs systemctl; nil where there is none.
  typealias Systemctl = (_ arguments: [String]) -> OtherProgram.Answer?

  enum Owner: String {
    case system, user

    /// The beginning of a command line that reaches the manager.
    var command: String { self == .user ? "systemctl --user" : "systemctl" }
  }

  /// The roots of systemd's directories of units, in its order.
  private static let roots = ["/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"]
  /// A manager that answers at all answers in milliseconds; a unit that is stopped may take 5 s.
  private static let patience = Duration.seconds(15)

  private let isThere: (_ path: String) -> Bool
  private let systemctl: Systemctl

  init(
    isThere: @escaping (_ path: String) -> Bool = { (try? FileIdentity(path: $0)) != nil },
    systemctl: @escaping Systemctl = {
      OtherProgram.answer("systemctl", $0, within: patience)
    }
  ) {
    self.isThere = isThere
    self.systemctl = systemctl
  }

  /// Whether the machine has this unit.
  func has(_ unit: String, of owner: Owner) -> Bool {
    Self.roots.contains { isThere("\($0)/systemd/\(owner.rawValue)/\(unit)") }
  }

  /// Gives a command to a manager; nil where none can be asked.
  func response(of owner: Owner, to words: [String]) -> OtherProgram.Answer? {
    systemctl((owner == .user ? ["--user"] : []) + words)
  }

  /// Gives a command to a manager; true where it was carried out.
  func obeys(_ owner: Owner, _ words: String...) -> Bool {
    response(of: owner, to: words)?.status == 0
  }

  /// The condition of a unit, as its manager tells it.
  struct Condition: Equatable {
    /// The word for whether it runs: `active`, `inactive`, `failed` and others.
    let active: String
    /// The word for whether it starts by itself: `enabled`, `disabled`, `static` and others.
    let file: String
    /// The sentence that the program has last said of itself; empty where it says nothing.
    var status = ""

    var isActive: Bool { active == "active" || active == "activating" || active == "reloading" }
    var isEnabled: Bool { file.hasPrefix("enabled") || file == "static" || file == "linked" }
  }

  /// The condition of a unit; nil where no manager answers.
  func condition(of unit: String, _ owner: Owner) -> Condition? {
    let words = ["show", "--property=ActiveState,UnitFileState,StatusText", unit]
    guard let answer = response(of: owner, to: words), answer.status == 0 else { return nil }
    func value(_ name: String) -> String {
      let line = answer.output.split(separator: "\n").first { $0.hasPrefix("\(name)=") }
      return line.map { String($0.dropFirst(name.count + 1)) } ?? ""
    }
    return Condition(
      active: value("ActiveState"),
      file: value("UnitFileState"),
      status: value("StatusText")
    )
  }
}
