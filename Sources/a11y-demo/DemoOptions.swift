// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix

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
