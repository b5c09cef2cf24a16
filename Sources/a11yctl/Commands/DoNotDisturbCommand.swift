// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yWire

/// Sets do-not-disturb, for a while or until it is set again.
struct DoNotDisturbCommand: Command {
  static let name = "do-not-disturb"
  static let summary = "have announcements wait, for a while or until further notice"
  static let usage = "[OPTION]... LEVEL"
  static let notes = """
    Announcements below LEVEL wait: low ones count 20, default ones 50, high ones 80. 0 lets all of
    them be heard, 100 none. Answers to what the user does are heard all the same.
    """
  static let options =
    [Flag("for", "TIME", "the bus ends it then, as in \"45 min\" or \"1 h\"")] + Publishing.options

  private let event: Event
  private let publishing: Publishing

  init(_ words: CommandWords) throws(Failure) {
    publishing = try Publishing(words, .doNotDisturb)
    guard words.operands.count == 1, let level = Int64(words.operands[0]), 0...100 ~= level else {
      throw Failure(
        .usage,
        "A level from 0 to 100 is expected. Try: a11yctl do-not-disturb 60 --for \"1 h\""
      )
    }
    event = .doNotDisturb(level: level, for: try words.value("for").map(Self.time))
  }

  private static func time(_ text: String) throws(Failure) -> Duration {
    guard let time = Quantity.duration(text), .zero...Self.longest ~= time else {
      throw Failure(
        .usage,
        "--for expects a time up to 24 h with its unit, as in \"45 min\" or \"1 h\"; got \(text)"
      )
    }
    return time
  }

  private static let longest = Duration.milliseconds(Limits.timeToLive.upperBound)

  func run(_ output: Output) throws(Failure) {
    try publishing.publish(event, type: EventType.doNotDisturb.rawValue, output)
  }
}
