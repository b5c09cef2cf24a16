// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

/// What the command line asks for.
enum Wish: Equatable {
  case showHelp
  case run(Run)

  struct Run: Equatable {
    var path = BusPath.standard
    var app = "org.example.Contacts"
    /// Whether a user is played as well.
    var isPlayed = false
    var pause: Duration
  }

  /// What is wrong with a command line.
  struct Mistake: Error, Equatable {
    let words: String
  }

  /// Someone who watches wants to follow; nobody wants to wait for a program that nobody watches.
  private static let watched: Duration = .milliseconds(800)

  static let help = """
    Usage: a11y-demo [OPTION]...
    A contact list that tells the bus what a screen reader should know, and does what the user's
    gestures ask for. It has no screen: a11yctl listen and a11yctl inspect are the way to use it.

      --play         play a user who tries everything, and end
      --pause MS     with --play, wait so long between steps; 800 on a terminal, else 0
      --app NAME     the name under which it publishes; org.example.Contacts if not given
      --socket PATH  connect to the bus here
      --help         print this and end
    """

  init(_ words: [String], isTerminal: Bool) throws(Mistake) {
    var run = Run(pause: isTerminal ? Self.watched : .zero)
    var rest = words.flatMap(Self.parts)[...]
    while let word = rest.popFirst() {
      switch word {
      case "--help":
        self = .showHelp
        return
      case "--pause":
        guard let number = Int64(try Self.value(of: word, &rest)), (0...3_600_000).contains(number)
        else {
          throw Mistake(words: "--pause expects milliseconds, an hour at most.")
        }
        run.pause = .milliseconds(number)
      case "--play": run.isPlayed = true
      case "--app": run.app = try Self.value(of: word, &rest)
      case "--socket": run.path = try Self.value(of: word, &rest)
      default: throw Mistake(words: "\(word) is no option of this program.")
      }
    }
    self = .run(run)
  }

  /// `--name=value` as two words.
  private static func parts(_ word: String) -> [String] {
    guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return [word] }
    return [String(word[..<equals]), String(word[word.index(after: equals)...])]
  }

  private static func value(
    of option: String,
    _ rest: inout ArraySlice<String>
  ) throws(Mistake) -> String {
    guard let value = rest.popFirst() else { throw Mistake(words: "\(option) lacks its value.") }
    return value
  }
}
