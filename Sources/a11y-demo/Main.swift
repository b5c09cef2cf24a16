// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire
import Glibc

/// From the command line to the contact list.
@main
enum Main {
  static func main() {
    let options: DemoOptions
    do throws(CommandLineOptions.Mistake) {
      let words = Array(CommandLine.arguments.dropFirst())
      options = try DemoOptions(words, isTerminal: isatty(1) == 1)
    } catch {
      complain("\(error.words). Try: a11y-demo --help")
      exit(64)
    }
    if options.isHelp {
      say(DemoOptions.help)
    } else if options.isVersion {
      say("a11y-demo \(Protocol.release)")
    } else {
      start(options)
    }
  }

  private static func start(_ options: DemoOptions) {
    do throws(ClientError) {
      let bus = try BusConnection(path: options.path)
      let info = try bus.hello(app: options.app)
      try bus.subscribe(
        SubscriptionRequest(
          filter: EntryFilter(types: ["gesture", "focus", "outcome"], apps: [options.app])
        )
      )
      say("Connected to \(info.server) as \(options.app).")
      if !options.isPlayed {
        say("In another terminal, a11yctl listen speaks, and a11yctl inspect acts. Ctrl-C ends.")
      }
      let seat =
        options.isPlayed
        ? Seat(try BusConnection(path: options.path), app: options.app, steps: options.steps) : nil
      try DemoLoop(bus, DemoApp(bus, step: options.step), seat, pause: options.pause).play()
    } catch {
      complain(error.description)
      switch error {
      case .refused: exit(65)
      case .unreachable, .dismissed, .disconnected, .timedOut: exit(69)
      case .malformed: exit(74)
      }
    }
  }

  /// Prints a line at once, so that it stands beside the line of the bus at that moment.
  static func say(_ words: String) { _ = StandardOutput.write(words + "\n") }

  private static func complain(_ words: String) { StandardError.write("a11y-demo: \(words)\n") }
}
