// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yToml

/// The files that people write: configuration, rules and mutes.
struct SettingsCheck {
  let facts: MachineFacts
  let bus: BusCheck.Bus?
  /// The daemon's program, which reads its own configuration best.
  let program: String?

  var diagnoses: [Diagnosis] { [configuration] + inForce + mutes }

  private var directories: [String] {
    let home = ConfigHome.find(in: facts.environment).map { "\($0)/a11yd/rules.d" }
    return ["\(ConfigHome.ofMachine)/rules.d"] + [home].compactMap { $0 }
  }

  private var configuration: Diagnosis {
    let answer = program.flatMap { facts.answer($0, ["--check-config"]) }
    if let program, let answer, answer.status != 0 {
      // “a11yd: file:3:1: …”, a line for each mistake.
      let lines = answer.output.split(separator: "\n").map { line in
        line.hasPrefix("a11yd: ") ? String(line.dropFirst("a11yd: ".count)) : String(line)
      }
      let count = SeqWords.count(Int64(lines.count), "mistake", "mistakes")
      return Diagnosis(
        .configuration,
        .wrong,
        "Configuration and rules have \(count): \(lines.joined(separator: "; ")).",
        try: "\(program) --check-config"
      )
    }
    let rules = LoadedRules(directories: directories)
    if let first = rules.complaints.first {
      return Diagnosis(
        .configuration,
        .wrong,
        "A file of rules has a mistake: \(first).",
        try: "a11yctl rules check \(first.fileName)"
      )
    }
    guard answer != nil else {
      let reason = program.map { "\($0) --check-config does not answer" } ?? "a11yd is not here"
      return Diagnosis(
        .configuration,
        .unchecked,
        "The rules have no mistake; the configuration cannot be checked, since \(reason)."
      )
    }
    return Diagnosis(.configuration, .good, "Configuration and rules have no mistake.")
  }

  /// The difference between the files and the rules that the bus goes by.
  private var inForce: [Diagnosis] {
    if let refused = bus?.stats?["reloads"]?["refused"]?.string {
      let words = "The bus goes on without what it could not use: \(refused)"
      return [Diagnosis(.configuration, .wrong, words, try: "a11yctl reload")]
    }
    guard let files = bus?.rules?["files"]?.list?.compactMap(\.string) else { return [] }
    let mine = LoadedRules(directories: directories).files.map(\.path)
    guard let unread = mine.first(where: { !files.contains($0) }) else { return [] }
    let words = "The bus does not go by the rules in \(unread) yet."
    return [Diagnosis(.configuration, .note, words, try: "a11yctl reload")]
  }

  private var mutes: [Diagnosis] {
    // Without a home there is no place for a mute.
    guard let shelf = try? MuteShelf(in: facts.environment) else { return [] }
    let mutes: [Mute]
    do throws(Failure) {
      mutes = try shelf.all()
    } catch {
      return [Diagnosis(.mutes, .unchecked, "Mutes cannot be checked: \(error.words ?? "")")]
    }
    guard !mutes.isEmpty else { return [] }
    let now = facts.now()
    let names = mutes.map(\.app).joined(separator: ", ")
    if mutes.contains(where: { $0.end.map { $0 + 60_000_000 < now } ?? false }) {
      let words = "A mute is over and was not taken away."
      return [Diagnosis(.mutes, .wrong, words, try: "a11yctl unmute --due")]
    }
    if mutes.contains(where: { $0.end != nil }),
      facts.units.condition(of: UnmuteTimer.timer, .user)?.isActive != true
    {
      return [
        Diagnosis(
          .mutes,
          .wrong,
          "The timer that ends mutes does not run.",
          try: "systemctl --user enable --now \(UnmuteTimer.timer)"
        )
      ]
    }
    return [Diagnosis(.mutes, .note, "You have muted \(names).")]
  }
}
