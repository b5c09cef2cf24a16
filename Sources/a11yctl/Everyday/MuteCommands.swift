// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire

/// Has an app announce nothing by itself, for a while or until further notice.
struct MuteCommand: Command {
  static let name = "mute"
  static let summary = "have an app announce nothing by itself; or list the muted apps"
  static let usage = "[OPTION]... [APP [for TIME]]"
  static let notes = """
    Keeps all announcements of the app on record only, urgent ones too unless --but-urgent is given,
    until a11yctl unmute or until a TIME is over, as in "30 min", "1 hour" or "2 days". Answers to
    the user's actions and the focus are heard all the same. In APP, * stands for anything. The mute
    is a file of rules in $XDG_CONFIG_HOME/a11yd/rules.d, and a TIME has the user's own systemd end
    it, also after a restart of the machine. Without APP, the muted apps are listed.
    """

  /// Longer than anybody waits for an app.
  private static let longest = Duration.seconds(366 * 86_400)

  @Operands private var words: [String]
  @Flag("but-urgent", "let urgent announcements of the app be heard") private var letsUrgent: Bool
  private let bus = BusSocket()

  /// The name of an app that there can be.
  static func appName(_ word: String) throws(Failure) -> String {
    guard 1...A11yWire.Limits.nameBytes ~= word.utf8.count,
      word.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else {
      throw Failure(
        .usage,
        "The name of an app has 1 to \(A11yWire.Limits.nameBytes) bytes and no control characters;"
          + " got \(word)."
      )
    }
    return word
  }

  private static func length(_ words: [String]) throws(Failure) -> Duration? {
    guard !words.isEmpty else { return nil }
    let time = words.first == "for" ? words.dropFirst() : words[...]
    guard let length = Moment.length(time.joined(separator: " ")), .seconds(1)...longest ~= length
    else {
      throw Failure(
        .usage,
        "A time from 1 s to 366 days is expected after the app, as in: a11yctl mute APP for 1 hour;"
          + " got \(words.joined(separator: " "))."
      )
    }
    return length
  }

  func run(_ output: Output) throws(Failure) {
    let now = SystemClock.wallMicroseconds()
    let app = try words.first.map(Self.appName)
    guard app != nil || !letsUrgent else { throw Failure(.usage, "--but-urgent needs an app.") }
    let length = try Self.length(Array(words.dropFirst()))
    let muting = try Muting(bus, changes: app != nil)
    guard let app else { return output.lines(MuteWords.list(try muting.shelf.all(), now: now)) }
    let strangers = muting.strangers([app])
    let end = length.map { now + $0.milliseconds * 1_000 }
    let mute = Mute(app: app, end: end, letsUrgent: letsUrgent)
    let effect = try muting.mute(mute)
    output.lines(strangers + MuteWords.sentences(mute, effect, now: now))
  }
}

/// Lets muted apps be heard again.
struct UnmuteCommand: Command {
  static let name = "unmute"
  static let summary = "let a muted app be heard again, or all of them"
  static let usage = "[OPTION]... [APP]"
  static let notes = "Without APP, all apps that were muted by a11yctl mute are heard again."

  @Operands private var words: [String]
  @Flag("due", "only those whose time is over, as the timer asks for") private var isDue: Bool
  private let bus = BusSocket()

  func run(_ output: Output) throws(Failure) {
    guard words.count <= 1 else {
      throw Failure(.usage, "One app is expected. Try: a11yctl unmute org.example.App")
    }
    let app = try words.first.map(MuteCommand.appName)
    let muting = try Muting(bus)
    var mutes = try muting.shelf.all()
    let names = mutes.map(\.app)
    if let app { mutes.removeAll { $0.app != app } }
    if isDue {
      let now = SystemClock.wallMicroseconds()
      mutes.removeAll { $0.end.map { end in end > now } ?? true }
    }
    guard !mutes.isEmpty else {
      guard let app else {
        if !isDue { output.line(MuteWords.none) }
        return
      }
      let near = NearbyNames.question(NearbyNames.to(app, among: names))
      throw Failure(.usage, "\(app) is not muted\(near)")
    }
    let effect = try muting.unmute(mutes)
    for mute in mutes { output.line(MuteWords.unmuted(mute, effect)) }
  }
}

/// Mutes as sentences.
enum MuteWords {
  static let none = "No app is muted."

  static func list(_ mutes: [Mute], now: Int64) -> [String] {
    mutes.isEmpty ? [none] : mutes.map { VisibleText.of(state($0, now: now)) }
  }

  /// The state of things behind a mute that was just made.
  static func sentences(_ mute: Mute, _ effect: Muting.Effect, now: Int64) -> [String] {
    let lines = [
      state(mute, now: now),
      mute.letsUrgent
        ? "Its urgent announcements are heard, and so are answers to what you do in it."
        : "Answers to what you do in it are heard all the same; its urgent announcements are not.",
      effect == .atStart ? "The bus does not run; it goes by this when it starts." : nil,
    ]
    return lines.compactMap { $0.map(VisibleText.of) }
  }

  private static func state(_ mute: Mute, now: Int64) -> String {
    let urgent = mute.letsUrgent ? ", but for urgent announcements" : ""
    guard let end = mute.end else {
      return "\(mute.app) is muted until you say a11yctl unmute\(urgent)."
    }
    guard end > now else {
      return "\(mute.app) is still muted, though its time is over. Try: a11yctl unmute --due"
    }
    return "\(mute.app) is muted \(AgeWords.until(end, now: now))\(urgent)."
  }

  static func unmuted(_ mute: Mute, _ effect: Muting.Effect) -> String {
    let again = "\(mute.app) is heard again"
    return VisibleText.of(
      effect == .inForce ? "\(again)." : "\(again) when the bus starts, which does not run now."
    )
  }
}
