// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix

/// Lets muted apps be heard again.
struct UnmuteCommand: Command {
  static let name = "unmute"
  static let summary = "let a muted app be heard again, or all of them"
  static let usage = "[OPTION]... [APP]"
  static let notes = "Without APP, all apps that were muted by a11yctl mute are heard again."
  static let options = [Flag("due", nil, "only those whose time is over, as the timer asks for")]

  private let muting: Muting
  private let app: String?
  private let isDue: Bool

  init(_ words: CommandWords) throws(Failure) {
    guard words.operands.count <= 1 else {
      throw Failure(.usage, "One app is expected. Try: a11yctl unmute org.example.App")
    }
    app = try words.operands.first.map(MuteCommand.appName)
    isDue = words.has("due")
    muting = try Muting(words)
  }

  func run(_ output: Output) throws(Failure) {
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
