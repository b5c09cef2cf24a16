// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire

/// Has announcements wait, for a while or until further notice, and tells whether they do.
struct QuietCommand: Command {
  static let name = "quiet"
  static let summary = "have announcements wait, for a while or until further notice"
  static let usage = "[OPTION]... [on | off | TIME]"
  static let notes = """
    With on, announcements wait until further notice; with a TIME up to 24 h, as in "30 min" or
    "1 hour", until it is over; with off, they are heard again. Without any of these it tells
    whether it is quiet, and until when. Urgent announcements are heard all the same, and so are
    answers to what the user does, and the focus. --level says what waits: low announcements count
    20, default ones 50, high ones 80, and those below the level wait.
    """

  /// Everything but urgent announcements waits.
  private static let usual: Int64 = 60
  private static let longest = Duration.milliseconds(A11yWire.Limits.timeToLive.upperBound)

  @Operands private var words: [String]
  @Option(
    "level",
    "LEVEL",
    "have announcements below this wait, from 1 to 100; 60 if not given",
    as: .number(in: 1...100)
  )
  private var level: Int64?
  private let bus = BusSocket()

  /// The event to publish; nil to tell how it is.
  private func event() throws(Failure) -> Event? {
    var wish = words
    // “quiet on for 30 min” and “quiet for 30 min” are as good as “quiet 30 min”.
    if wish.first == "on", wish.count > 1 { wish.removeFirst() }
    if wish.first == "for", wish.count > 1 { wish.removeFirst() }
    switch wish.joined(separator: " ") {
    case "" where level == nil: return nil
    case "": throw Failure(.usage, "--level needs on or a time. Try: a11yctl quiet on --level 60")
    case "on": return .doNotDisturb(level: level ?? Self.usual)
    case "off" where level == nil: return .doNotDisturb(level: 0)
    case "off": throw Failure(.usage, "--level and off do not go together.")
    case let time: return .doNotDisturb(level: level ?? Self.usual, for: try Self.length(time))
    }
  }

  private static func length(_ text: String) throws(Failure) -> Duration {
    guard let time = Moment.length(text), .milliseconds(1)...longest ~= time else {
      let near = NearbyNames.question(NearbyNames.to(text, among: ["on", "off"]))
      throw Failure(
        .usage,
        "quiet expects on, off or a time up to 24 h, as in \"30 min\"; got \(text)\(near)"
      )
    }
    return time
  }

  func run(_ output: Output) throws(Failure) {
    let event = try event()
    let path = try bus(for: event == nil ? .operation(.state) : .publishing(.doNotDisturb))
    let level = try asking(about: EventType.doNotDisturb.rawValue) { () throws(ClientError) in
      let bus = try BusConnection(path: path)
      if let event { try bus.publish(event) }
      return try bus.request("state")["do_not_disturb"]?.integer ?? 0
    }
    let end = level > 0 ? try BusEntries(path).fold(LastWish()).end : nil
    output.line(QuietWords.sentence(level, until: end, now: SystemClock.wallMicroseconds()))
  }

  /// The last wish for quiet.
  private struct LastWish: EntryFold {
    let types: [String]? = [EventType.doNotDisturb.rawValue]
    private var last: Entry?

    var isEnough: Bool { last != nil }

    mutating func take(_ entry: Entry) { last = entry }

    /// The time at which the bus ends it; nil where nobody has set one.
    var end: Int64? {
      guard let last, let length = last.integer("for_ms") else { return nil }
      return (Instant(microseconds: last.time) + .milliseconds(length)).microseconds
    }
  }
}

/// Whether it is quiet, in a sentence.
enum QuietWords {
  static func sentence(_ level: Int64, until end: Int64?, now: Int64) -> String {
    let waits: String
    switch level {
    case ...20: return "It is not quiet: all announcements are heard."
    case ...50: waits = "announcements of low priority wait"
    case ...80: waits = "announcements wait, but for urgent ones and answers to what you do"
    default: waits = "all announcements wait, urgent ones too, but for answers to what you do"
    }
    let until = end.map { end in
      " \(AgeWords.until(end, now: now)), for \(AgeWords.left(until: end, now: now)) more"
    }
    return "It is quiet\(until ?? " until you say a11yctl quiet off"): \(waits)."
  }
}
