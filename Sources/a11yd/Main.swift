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
    do throws(StartFault) {
      let options = try Options.parse(Array(CommandLine.arguments.dropFirst()))
      switch options.task {
      case .showHelp: _ = StandardOutput.write(Options.help)
      case .showVersion: _ = StandardOutput.write("a11yd \(Options.version)\n")
      case .checkConfiguration: try check(options)
      case .serve: try serve(options)
      }
    } catch {
      StandardError.write("a11yd: \(error.message)\n")
      exit(error.kind.rawValue)
    }
  }

  private static func settings(_ options: Options) throws(StartFault) -> (Settings, [String]) {
    do throws(Complaints) {
      return try Settings.load(option: options.configuration, places: .ofThisProcess)
    } catch {
      throw StartFault(.configuration, "\(error)")
    }
  }

  private static func rules(_ settings: Settings) -> LoadedRules {
    LoadedRules(directories: Places.ofThisProcess.ruleDirectories(settings))
  }

  private static func check(_ options: Options) throws(StartFault) {
    let (settings, files) = try settings(options)
    let rules = rules(settings)
    guard rules.complaints.isEmpty else {
      throw StartFault(.configuration, "\(Complaints(rules.complaints))")
    }
    let names = files + rules.files.map(\.path)
    let read = names.isEmpty ? "no file, the defaults apply" : names.joined(separator: ", ")
    _ = StandardOutput.write("The configuration is good: \(read).\n")
  }

  private static func serve(_ options: Options) throws(StartFault) {
    let (settings, _) = try settings(options)
    Signals.ignoreBrokenPipe()
    Signals.ignoreFileSizeLimit()
    Signals.crashAtOnce()
    exit(try Daemon(options, settings, rules(settings)).run())
  }
}
