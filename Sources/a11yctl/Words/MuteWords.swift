// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix

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
