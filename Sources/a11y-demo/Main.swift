// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import Glibc

/// From the command line to the contact list.
@main
enum Main {
  static func main() {
    do throws(Wish.Mistake) {
      switch try Wish(Array(CommandLine.arguments.dropFirst()), isTerminal: isatty(1) == 1) {
      case .showHelp: say(Wish.help)
      case .run(let run): start(run)
      }
    } catch {
      complain("\(error.words) Try: a11y-demo --help")
      exit(64)
    }
  }

  private static func start(_ run: Wish.Run) {
    do throws(ClientError) {
      let bus = try Connection(path: run.path)
      let info = try bus.hello(app: run.app)
      try bus.subscribe(
        Subscription(filter: Filter(types: ["gesture", "focus", "outcome"], apps: [run.app]))
      )
      say("Connected to \(info.server) as \(run.app).")
      if !run.isPlayed {
        say("In another terminal, a11yctl listen speaks, and a11yctl inspect acts. Ctrl-C ends.")
      }
      let seat = run.isPlayed ? Seat(try Connection(path: run.path), app: run.app) : nil
      try Loop(bus, App(bus), seat, pause: run.pause).run()
    } catch {
      complain(error.description)
      switch error {
      case .refused: exit(65)
      case .unreachable, .dismissed, .disconnected, .timedOut: exit(69)
      case .malformed: exit(74)
      }
    }
  }

  /// Prints a line at once, so that it stands beside what the bus says at that moment.
  static func say(_ words: String) { write(words + "\n", to: 1) }

  private static func complain(_ words: String) { write("a11y-demo: \(words)\n", to: 2) }

  private static func write(_ text: String, to number: Int32) {
    var text = text
    text.withUTF8 { bytes in
      var done = 0
      while done < bytes.count {
        let count = Glibc.write(number, bytes.baseAddress! + done, bytes.count - done)
        guard count > 0 else { return }
        done += count
      }
    }
  }
}
