// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Glibc

/// The directory in which a daemon with this environment keeps its log.
enum LogPlace {
  /// The directory of the system service; systemd makes it and tells only the service.
  static let system = "/var/lib/a11yd"

  /// The directory by an option, else systemd's choice, else the user's; nil without a home.
  static func find(
    _ option: String?,
    in environment: (String) -> String?,
    system: String = system
  ) -> String? {
    if let option { return option }
    // Relative paths are ignored, as in the daemon.
    func absolute(_ name: String) -> String? {
      environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    if let directories = absolute("STATE_DIRECTORY"),
      let first = directories.split(separator: ":").first
    {
      return String(first)
    }
    let home = absolute("XDG_STATE_HOME") ?? absolute("HOME").map { $0 + "/.local/state" }
    // A user without a log, who may read the system's, means the system's.
    guard let own = home.map({ $0 + "/a11yd" }), access(own, F_OK) == 0 else {
      return access(system, R_OK) == 0 ? system : home.map { $0 + "/a11yd" }
    }
    return own
  }

  /// The forms of a log that can be read.
  static let forms = "a directory, a file or -"

  /// The paragraph on the log's place in the help of commands.
  static let notes = """
    The log is looked for in $STATE_DIRECTORY, else in $XDG_STATE_HOME/a11yd, else in
    ~/.local/state/a11yd; where there is none, that of the system service in \(system).
    """
}

extension LogPlace {
  /// The name of a log in a sentence.
  static func title(_ path: String) -> String {
    path == "-" ? "standard input" : VisibleText.of(path)
  }
}

/// The option that names a log.
struct LogOption: OptionGroup {
  private let option: Option<String>

  private init(_ placeholder: String, _ explanation: String) {
    option = Option("log", placeholder, explanation)
  }

  /// The value that was given.
  var path: String? { option.wrappedValue }

  /// For commands that read entries.
  static var entries: LogOption { LogOption("LOG", "this log: \(LogPlace.forms)") }

  /// For commands that read entries or serve those of the bus.
  static var unusual: LogOption {
    LogOption("LOG", "the log, where it is not the usual one: \(LogPlace.forms)")
  }

  /// For commands that ask the bus where no log is named.
  static var insteadOfBus: LogOption {
    LogOption("LOG", "read this log, not the bus: \(LogPlace.forms)")
  }

  /// For commands that look at the files of a log.
  static var folder: LogOption {
    LogOption("DIR", "the log's directory, where it is not the usual one")
  }

  /// The log that is named, by the option or by the one word behind `count` others.
  func named(in operands: [String], behind count: Int = 0) throws(Failure) -> String? {
    guard let named = operands.dropFirst(count).first else { return path }
    try operands.refuse(behind: count + 1, "; one log is read")
    guard path == nil else {
      throw Failure(.usage, "\(named) is not expected here; --log names the log already.")
    }
    return named
  }

  /// The log that is named, else the usual one.
  func place(in operands: [String] = [], behind count: Int = 0) throws(Failure) -> String {
    let named = try named(in: operands, behind: count)
    guard let path = LogPlace.find(named, in: Environment.value) else {
      throw Failure(.usage, "There is no home to look in; --log names the log.")
    }
    return path
  }
}
