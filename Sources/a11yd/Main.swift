// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yToml
import A11yDaemon
import A11yPosix
import Glibc

/// From the command line to the running daemon.
@main
enum Main {
  static func main() {
    // A line for nobody must not end the process before it can say why.
    Signals.ignoreBrokenPipe()
    Machine.forbidDumps()
    do throws(StartFault) {
      let options = try DaemonOptions.parse(Array(CommandLine.arguments.dropFirst()))
      switch options.task {
      case .showHelp: _ = StandardOutput.write(DaemonOptions.help)
      case .showVersion: _ = StandardOutput.write("a11yd \(DaemonOptions.version)\n")
      case .checkConfiguration: try check(options)
      case .serve: exit(serve(options))
      }
    } catch {
      OperatorReport().tell(error)
      exit(error.kind.rawValue)
    }
  }

  private static func rules(_ settings: Settings) -> LoadedRules {
    LoadedRules(directories: Places.ofThisProcess.ruleDirectories(settings))
  }

  private static func check(_ options: DaemonOptions) throws(StartFault) {
    let loaded = LoadedSettings(option: options.configuration, places: .ofThisProcess)
    let rules = rules(loaded.settings)
    let complaints = loaded.complaints + rules.complaints
    guard complaints.isEmpty else {
      throw StartFault(.configuration, "\(Complaints(complaints))")
    }
    let names = loaded.files + rules.files.map(\.path)
    let read = names.isEmpty ? "no file, the defaults apply" : names.joined(separator: ", ")
    for warning in loaded.warnings + rules.warnings { _ = StandardOutput.write("\(warning)\n") }
    _ = StandardOutput.write("The configuration is good: \(read).\n")
  }

  /// Runs the daemon, and returns how the process ends.
  private static func serve(_ options: DaemonOptions) -> Int32 {
    Signals.ignoreStraySignals()
    Signals.holdHangUp()
    Signals.crashAtOnce()
    let loaded = LoadedSettings(option: options.configuration, places: .ofThisProcess)
    let report = OperatorReport(threshold: options.logLevel ?? loaded.settings.server.logLevel)
    do throws(StartFault) {
      return try Daemon(options, loaded, rules(loaded.settings), report).run()
    } catch {
      report.tell(error)
      return error.kind.rawValue
    }
  }
}
