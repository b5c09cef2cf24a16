// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire
import Glibc

/// A bus of our own: the real daemon, with a socket, a log and rules that nobody else uses, and
/// with nothing of this machine's settings.
final class PrivateBus {
  let socket: String
  /// The directory of its log.
  let log: String
  private let place: ScratchPlace
  /// The daemon; its words about itself are readable at its end, too.
  private let daemon: PipedProgram
  /// The last of them.
  private var said: [UInt8] = []

  /// The longest wait for the daemon to be ready, and for its end.
  private static let patience = Duration.seconds(10)
  /// The bytes of its words that are kept.
  private static let room = 16_384

  /// Starts the daemon and waits until it can be used; `rules` are files over the shipped ones.
  init(rules: [String]) throws(Failure) {
    guard let program = Self.program() else {
      let words = "The program a11yd stands neither beside a11yctl nor in a directory of $PATH."
      throw Failure(.unreachable, words)
    }
    place = try ScratchPlace("a11yctl-test")
    socket = place("bus.sock")
    log = place("log")
    let configuration = place("a11yd.toml")
    do throws(Failure) {
      try Self.prepare(rules, to: place, configuration)
      daemon = try Self.launch(
        [program, "--config", configuration, "--socket", socket, "--state", log]
      )
    } catch {
      place.remove()
      throw error
    }
    do throws(Failure) {
      try awaitReady()
    } catch {
      end()
      throw error
    }
  }

  /// The daemon beside this program, else along `$PATH`.
  private static func program() -> String? {
    if let own = OtherProgram.beside("a11yd"), access(own, X_OK) == 0 { return own }
    return OtherProgram.isInstalled("a11yd") ? "a11yd" : nil
  }

  private static func prepare(
    _ rules: [String],
    to place: ScratchPlace,
    _ configuration: String
  ) throws(Failure) {
    do {
      let folder = place("rules")
      try Directory.create(folder, mode: 0o700)
      for (index, path) in rules.enumerated() {
        // Files of rules are read by name; the given order counts.
        let bytes = try File.read(path, limit: 1 << 20)
        let name = "\(folder)/\(String(10_000 + index)).toml"
        try PrivateFile.replace(name, with: String(decoding: bytes, as: UTF8.self))
      }
      let quoted = folder.escaped(["\\": "\\\\", "\"": "\\\""])
      try PrivateFile.replace(configuration, with: Self.settings(quoted))
    } catch {
      throw Failure(.inputOutput, "The private bus cannot be set up: \(error).")
    }
  }

  /// The bus's own words are in English, so that the expected texts hold in every session.
  private static func settings(_ folder: String) -> String {
    "[reader]\nlanguage = \"en\"\n[rules]\ndirs = [\"\(folder)\"]\n"
  }

  private static func launch(_ words: [String]) throws(Failure) -> PipedProgram {
    do throws(Errno) {
      return try PipedProgram(words, environment: environment()) { pipe in
        ChildProcess.Streams(errors: pipe)
      }
    } catch {
      throw Failure(.unreachable, "The bus cannot be started: \(error).")
    }
  }

  /// Our environment without the variables by which a service manager would be told of the daemon.
  private static func environment() -> [String] {
    let told = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID"]
    return Environment.all.filter { variable in
      !told.contains { variable.hasPrefix("\($0)=") }
    }
  }

  private func awaitReady() throws(Failure) {
    let deadline = Deadline(after: Self.patience)
    while !String(decoding: said, as: UTF8.self).contains("a11yd: ready ") {
      guard !deadline.hasPassed, readWords(waitingMilliseconds: deadline.remaining) != .end
      else { throw failure }
    }
  }

  /// The daemon's end, in its own words.
  var failure: Failure {
    let lines = String(decoding: said, as: UTF8.self).split(separator: "\n")
    let last = lines.last { !$0.hasPrefix("a11yd: ready ") }.map { ": \($0)" } ?? "."
    return Failure(.unreachable, "The bus has ended\(last)")
  }

  /// Has a set watch for the daemon's words, and for its end.
  func watch(by poll: Poll, token: UInt64) throws(Errno) {
    try poll.add(daemon.words, token: token, interest: .readable)
  }

  /// A look at the daemon's words.
  enum Look {
    case words, nothing, end
  }

  /// Reads the daemon's words, so that there is room for more.
  @discardableResult
  func readWords(waitingMilliseconds wait: Int32 = 0) -> Look {
    guard let ready = try? daemon.words.waitReady(for: .readable, timeoutMilliseconds: wait) else {
      return .end
    }
    if ready.isEmpty { return .nothing }
    var piece = [UInt8](repeating: 0, count: 4_096)
    let count = (try? piece.withUnsafeMutableBytes { try daemon.words.read(into: $0) }) ?? 0
    said += piece[..<count]
    if said.count > Self.room { said.removeFirst(said.count - Self.room / 2) }
    return count > 0 ? .words : .end
  }

  /// Ends the daemon, which keeps its log until `remove`.
  func end() {
    daemon.process.terminate()
    let deadline = Deadline(after: Self.patience)
    while !deadline.hasPassed, readWords(waitingMilliseconds: deadline.remaining) != .end {}
    daemon.process.killGroup()
  }

  /// An empty file beside the log.
  func newFile() throws(Failure) -> String {
    let path = place("heard.ndjson")
    do throws(Errno) {
      _ = try FileDescriptor.open(path, [.writeOnly, .create, .exclusive])
    } catch {
      throw Failure(.inputOutput, "Writing \(path) failed: \(error).")
    }
    return path
  }

  /// Removes everything that the bus has left.
  func remove() { place.remove() }
}

/// A directory of our own for a while, which nobody else may enter.
struct ScratchPlace {
  let path: String

  /// The bytes that a path to a socket may have, with room for a name within the directory.
  private static let longest = 80
  /// The depth to which directories are removed; the log has one level of its own.
  private static let depth = 4

  init(_ name: String) throws(Failure) {
    let wanted = Environment.value("TMPDIR").map { $0.hasPrefix("/") ? $0 : "/tmp" } ?? "/tmp"
    // The path of a socket has little room.
    let base = wanted.utf8.count + name.utf8.count > Self.longest ? "/tmp" : wanted
    var template = Array("\(base)/\(name).XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      let words = "A directory in \(base) cannot be made: \(String(cString: strerror(errno)))."
      throw Failure(.inputOutput, words)
    }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The path of a file in it.
  func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

  /// Removes the directory and all that is in it.
  func remove(depth: Int = depth) { Self.remove(path, depth: depth) }

  private static func remove(_ path: String, depth: Int) {
    guard depth > 0, let names = try? Directory.names(path) else { return }
    for name in names {
      let inner = "\(path)/\(name)"
      // A directory cannot be unlinked.
      if unlink(inner) != 0 { remove(inner, depth: depth - 1) }
    }
    rmdir(path)
  }
}
