// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yLog
import A11yPosix
import A11yToml
import A11yWire

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
      let count = lines.count.counted("mistake")
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

/// The log and its disk, and the clock by which it is kept.
struct LogCheck {
  let facts: MachineFacts
  let bus: BusCheck.Bus?
  /// The directory of the log; nil where none is known.
  let directory: String?

  /// The room below which the next days may fill the disk.
  private static let scarce: Int64 = 256 << 20
  /// The difference of clocks that nobody notices.
  private static let tolerance: Int64 = 60_000_000
  /// The year 2025: a clock before it was never set.
  private static let oldest: Int64 = 1_735_689_600_000_000

  var diagnoses: [Diagnosis] {
    var found: [Diagnosis] = []
    if bus?.stats?["log"]?["degraded"]?.flag ?? bus?.info.durability.degraded == true {
      found.append(
        Diagnosis(
          .log,
          .wrong,
          "The log cannot be written; the bus goes on in memory, and comes back by itself when the"
            + " disk takes something again."
        )
      )
    }
    guard let directory, let log = try? LogReader(directory, silence), isOurs(log) else {
      let words = "The files of the log cannot be checked: they are not here, or not yours."
      return found + [Diagnosis(.log, .unchecked, "\(words) --log names another directory.")]
        + [clock(nil, isUnknown: true)]
    }
    switch facts.room(directory) {
    case let room? where room < Self.scarce:
      let words = "The disk of \(directory) has only \(ByteSize.words(room)) left."
      found.append(Diagnosis(.log, .wrong, words))
    case nil:
      let words = "The room on the disk of \(directory) cannot be measured."
      found.append(Diagnosis(.log, .unchecked, words))
    default: break
    }
    let tail = tail(of: log, directory)
    let isEmpty = log.segments.isEmpty
    return found + tail.diagnoses + [clock(tail.newest, isUnknown: tail.newest == nil && !isEmpty)]
  }

  private var silence: Progress { Progress("Read", clock: { 0 }, onProgress: nil) }

  /// Whether the files are those of the bus that answers.
  private func isOurs(_ log: LogReader) -> Bool {
    guard let epoch = bus?.info.epoch, let header = log.segments.last?.header else { return true }
    return header.epochs.contains { $0.epoch.hex == epoch }
  }

  /// The findings in the last segment, and the time of its newest entry.
  private func tail(
    of log: LogReader,
    _ directory: String
  ) -> (diagnoses: [Diagnosis], newest: Int64?) {
    guard let segment = log.segments.last else {
      return ([Diagnosis(.log, .note, "The log in \(directory) is empty.")], nil)
    }
    let reader = JSONReader(limit: A11yWire.Limits.answerBytes)
    var newest: Int64?
    let scanned = try? log.scan(log.segments.count - 1) { line, _ in
      if (try? reader.read(line)) != nil { newest = EntryView(of: reader.document).time }
      return true
    }
    guard let content = scanned else {
      return ([Diagnosis(.log, .wrong, "\(directory)/\(segment.name) cannot be read.")], nil)
    }
    let inspection = SegmentInspection(
      segment,
      content,
      known: content.closing?.last ?? log.synced,
      isLast: true,
      on: log.disk
    )
    let damages = inspection.findings.filter { $0.weight == .damage }
    guard let first = damages.first else {
      let words = "The end of the log in \(directory) is intact."
      return ([Diagnosis(.log, .good, words)], newest)
    }
    let remedy = "a11yctl log verify --log \(directory)"
    return ([Diagnosis(.log, .wrong, FindingWords.sentence(first), try: remedy)], newest)
  }

  /// The clock beside the time of the newest entry; without entries, or where they cannot be read,
  /// there is nothing that it could agree with.
  private func clock(_ newest: Int64?, isUnknown: Bool) -> Diagnosis {
    let now = facts.now()
    let remedy = facts.isInstalled("timedatectl") ? "sudo timedatectl set-ntp true" : nil
    if now < Self.oldest {
      let words = "The clock of the machine was never set, so that old entries are not told apart."
      return Diagnosis(.clock, .wrong, words, try: remedy)
    }
    if let newest, newest > now + Self.tolerance {
      let ahead = AgeWords.length(microseconds: newest - now)
      let words =
        "The clock was set back: the newest entry is \(ahead) ahead of it, and old entries"
      return Diagnosis(.clock, .wrong, "\(words) are kept for so much longer.", try: remedy)
    }
    if isUnknown {
      let words = "The clock is set; whether it agrees with the log cannot be checked."
      return Diagnosis(.clock, .unchecked, words)
    }
    return Diagnosis(
      .clock,
      .good,
      newest == nil ? "The clock is set." : "The clock agrees with the log."
    )
  }
}
