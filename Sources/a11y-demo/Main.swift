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

/// The command line of the demo.
struct DemoOptions: Equatable {
  var path = BusPath.standard
  var app = "org.example.Contacts"
  /// Whether a scripted user acts as well.
  var isPlayed = false
  /// The time of a step of the backup: long where somebody follows it.
  var step: Duration { isPlayed && pause == .zero ? .milliseconds(10) : .milliseconds(500) }
  /// The wait between two steps of that user.
  var pause: Duration
  /// The most steps of that user.
  var steps = Int.max
  var isHelp = false
  var isVersion = false

  private enum Flag: String, CommandLineFlag {
    case play, pause, steps, app, socket, help, version

    var needsValue: Bool {
      switch self {
      case .pause, .steps, .app, .socket: true
      case .play, .help, .version: false
      }
    }
  }

  /// The pause on a terminal, where somebody watches.
  private static let watched: Duration = .milliseconds(800)
  /// An hour is more than anybody waits for a step.
  private static let longestPause: Int64 = 3_600_000

  static let help = """
    Usage: a11y-demo [OPTION]...
    A contact list that tells the bus what a screen reader should know, and does what the user's
    gestures ask for. It has no screen: a11yctl listen and a11yctl inspect are the way to use it.

      --play         play a user who tries everything, and end
      --pause MS     with --play, the wait between steps; 800 on a terminal, else 0: then each
                     step begins when the words of the one before are with the reader, and the
                     backup takes a tenth of a second, at the end
      --steps N      with --play, only the first steps; all of them if not given
      --app NAME     the name of the app on the bus; org.example.Contacts if not given
      --socket PATH  connect to the bus here
      --help         print this and end
      --version      print the version and end
    """

  /// Reads the words behind the program's name; `isTerminal` says whether somebody watches.
  init(_ words: [String], isTerminal: Bool) throws(CommandLineOptions.Mistake) {
    pause = isTerminal ? Self.watched : .zero
    for (flag, given) in try CommandLineOptions.parse(words, as: Flag.self) {
      switch flag {
      case .play: isPlayed = true
      case .pause: pause = .milliseconds(try given.number(in: 0...Self.longestPause))
      case .steps: steps = try given.number(in: 0...Int.max)
      case .app: app = given.value
      case .socket: path = given.value
      case .help: isHelp = true
      case .version: isVersion = true
      }
    }
  }
}
