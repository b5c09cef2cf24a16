// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import Systemd
import A11yPosix
import A11yWire

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
