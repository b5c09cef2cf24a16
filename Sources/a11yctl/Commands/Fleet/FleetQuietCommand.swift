// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire

/// Names the machines about which somebody should know.
struct FleetQuietCommand: Command {
  static let name = "fleet quiet"
  static let summary = "name machines that are silent, without a reader, or not heard"
  static let usage = "[OPTION]..."
  static let notes = """
    Names each machine without a sign of life, without a screen reader, or with many texts that were
    lost: that came too late, or that no reader was there to speak. It ends with 1 where it names
    one. A machine gives signs of life while it is idle, too; where a forwarder gives none, new
    entries are its signs. LENGTH is "90 min", "2 hours" or "1 day".
    \(Moment.notes)
    \(FleetSource.readingNotes)
    \(FleetSource.notes)
    """
  static let options =
    [
      Flag(
        "silent",
        "LENGTH",
        "name machines that are silent for so long; \"1 hour\" if not given"
      ),
      Flag("unheard", "PERCENT", "name machines that lose more of their texts; 50 if not given"),
    ] + FleetSource.reading(usually: "\"1 hour ago\"")
  static let common = Flag.explaining

  private static let hour: Int64 = 3_600_000_000

  private let source: FleetSource
  private let isJSON: Bool
  private let now: Int64
  private let since: Int64
  private var bounds = QuietMachines.Bounds(silence: hour, lost: 50)

  init(_ words: CommandWords) throws(Failure) {
    try words.refuseOperands()
    source = FleetSource(words)
    isJSON = words.has("json")
    now = SystemClock.wallMicroseconds()
    since =
      try FleetSource.beginning(words, now: now).time { _ throws(Failure) in
        throw Failure(.usage, "--from expects a time here, since each machine has seqs of its own.")
      } ?? now - Self.hour
    bounds.lost = try words.integer("unheard", in: 0...100) ?? bounds.lost
    if let text = words.value("silent") {
      guard let length = Moment.length(text), length > .zero else {
        throw Failure(.usage, "--silent expects a length of time, as in \"2 hours\"; got \(text).")
      }
      bounds.silence = Int64(clamping: length.milliseconds) * 1_000
    }
  }

  func run(_ output: Output) throws(Failure) {
    var fleet = QuietMachines()
    let reader = JSONReader(limit: Limits.answerBytes)
    for reading in QuietMachines.Reading.allCases {
      try source.forEachEntry(question(reading)) { machine, epoch, line throws(Failure) in
        guard (try? reader.read(line)) != nil else { return true }
        fleet.include(reader.document, of: machine, in: epoch, from: reading)
        return true
      }
    }
    let findings = fleet.findings(bounds, now: now)
    for finding in findings {
      output.line(isJSON ? Self.json(finding) : FleetWords.sentence(finding, now: now))
    }
    if !isJSON { output.line(FleetWords.sum(findings.count, of: fleet.machines.count)) }
    if fleet.unseen > 0 { output.complain(FleetWords.missing(fleet.unseen)) }
    try output.flush()
    if !findings.isEmpty { throw Failure(.found, nil) }
  }

  private func question(_ reading: QuietMachines.Reading) -> [String] {
    switch reading {
    case .signs: ["*", "--alive"]
    case .newest: ["*", "--newest"]
    case .entries: ["*", "--since", String(since)]
    }
  }

  private static func json(_ finding: QuietMachines.Finding) -> String {
    let health = finding.health
    return JSONValue.object([
      .init("machine", .string(finding.machine)),
      .init("reasons", .list(finding.reasons.map { .string($0.rawValue) })),
      .init("seq", .integer(health.last)), .init("time", .integer(health.lastTime)),
      .init("alive", .integer(health.lastSign)),
      .init("heard", .integer(health.heard)), .init("lost", .integer(health.lost)),
      .init("missing", .integer(health.missing)),
    ]).description
  }
}
