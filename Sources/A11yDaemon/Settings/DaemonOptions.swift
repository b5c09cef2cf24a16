// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
package import A11yRules
import A11yWire
package import Systemd

/// The options of the command line.
package struct DaemonOptions: Equatable {
  package enum Task: Equatable {
    case serve, checkConfiguration, showVersion, showHelp
  }

  package var task = Task.serve
  package var configuration: String?
  package var socket: String?
  package var state: String?
  package var logLevel: LogLevel?

  package init() {}

  package static let version = Protocol.release

  package static let help = """
    Usage: a11yd [OPTION]...
    The accessibility notification bus: apps tell it what has changed, screen readers hear of it.
    Runs in the foreground; systemd starts and stops it.

      --config FILE      read this configuration and no other
      --socket PATH      listen here, unless systemd hands over a socket
      --state DIR        keep the log here
      --log-level LEVEL  tell this much: error, warning, notice, info or debug
      --check-config     check configuration and rules and end; 0 means good, 78 that they are not
      --version          print the version and end
      --help             print this and end

    Without --config, \(ConfigHome.ofMachine)/a11yd.toml and then $XDG_CONFIG_HOME/a11yd/a11yd.toml
    are read.

    """

  /// Reads the words behind the program's name.
  package static func parse(_ words: [String]) throws(StartFault) -> DaemonOptions {
    let given: [(flag: Flag, given: CommandLineOptions.Given)]
    do throws(CommandLineOptions.Mistake) {
      given = try CommandLineOptions.parse(words, as: Flag.self)
    } catch {
      throw StartFault(.usage, "\(error.words). Try a11yd --help.")
    }
    var options = DaemonOptions()
    for (flag, given) in given {
      switch flag {
      case .config: options.configuration = given.value
      case .socket: options.socket = given.value
      case .state: options.state = given.value
      case .logLevel: options.logLevel = try level(given.value)
      case .checkConfiguration: options.task = .checkConfiguration
      case .version: options.task = .showVersion
      case .help: options.task = .showHelp
      }
    }
    return options
  }

  private enum Flag: String, CommandLineFlag {
    case config, socket, state
    case logLevel = "log-level"
    case checkConfiguration = "check-config"
    case version, help

    var needsValue: Bool {
      switch self {
      case .config, .socket, .state, .logLevel: true
      case .checkConfiguration, .version, .help: false
      }
    }
  }

  private static func level(_ name: String) throws(StartFault) -> LogLevel {
    if let level = LogLevel(name: name) { return level }
    let names = LogLevel.allCases.map(\.name).joined(separator: ", ")
    throw StartFault(.usage, "--log-level expects one of \(names); got \(name).")
  }
}

/// The paths of this machine, from the environment that the daemon was started in.
package struct Places {
  private let environment: (String) -> String?

  package init(environment: @escaping (String) -> String?) { self.environment = environment }

  /// The places of this process.
  package static var ofThisProcess: Places {
    Places(environment: Environment.value)
  }

  /// `$XDG_CONFIG_HOME`, else `~/.config`; nil where there is no home, as in a system service.
  package var configHome: String? { ConfigHome.find(in: environment) }

  /// The path of the socket: an option, else the settings, else the path that clients look at too.
  package func socket(option: String?, settings: Settings) -> String {
    option ?? settings.server.socket ?? SocketPath.find(in: environment)
  }

  /// The directory of the log: an option, else the settings, else systemd's choice, else the
  /// user's.
  package func state(option: String?, settings: Settings) -> String? {
    option ?? settings.server.state ?? stateDirectory
      ?? (absolute("XDG_STATE_HOME") ?? absolute("HOME").map { $0 + "/.local/state" })
      .map { $0 + "/a11yd" }
  }

  /// The first of `$STATE_DIRECTORY`; systemd joins several with colons.
  private var stateDirectory: String? {
    absolute("STATE_DIRECTORY")?.split(separator: ":").first.map(String.init)
  }

  /// The directory that lasts as long as this boot, at most: systemd's choice, else the session's.
  package var runtime: String? {
    absolute("RUNTIME_DIRECTORY")?.split(separator: ":").first.map(String.init)
      ?? absolute("XDG_RUNTIME_DIR").map { $0 + "/a11yd" }
  }

  /// The language of the session.
  package var language: WordLanguage { .ofSession(environment) }

  /// The directories of rules that there can be on this machine, in order.
  package func ruleDirectories(_ settings: Settings) -> [String] {
    settings.rules.dirs.compactMap(expand)
  }

  /// A directory as written in the settings; nil where it is a home's and there is no home.
  package func expand(_ directory: String) -> String? {
    guard directory.hasPrefix(Self.home) else { return directory }
    return configHome.map { $0 + directory.dropFirst(Self.home.count) }
  }

  /// Whether `expand` can make a path of this.
  static func canExpand(_ directory: String) -> Bool {
    !directory.unicodeScalars.contains("\0")
      && (directory.hasPrefix("/") || directory == home || directory.hasPrefix(home + "/"))
  }

  private static let home = "$XDG_CONFIG_HOME"

  /// A variable that holds an absolute path; the XDG specification has others ignored.
  private func absolute(_ name: String) -> String? {
    environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}
