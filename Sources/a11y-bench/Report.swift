// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix

/// A run as a document: the machine, the servers, the table, the losses.
struct Report {
  let machine: MeasuredMachine
  /// The command line of the run.
  let command: String
  let rounds: Int
  let divisor: Int
  /// The version of the daemon.
  let daemon: String?
  /// The peers with the versions of those that are programs.
  let peers: [(peer: Peer, version: String?)]
  let results: Benchmark.Results
  let curves: [GrowthCurve]

  /// Writes the document, and its drawings into a directory of its name.
  func replaceFiles(at path: String) throws {
    let stem = path.hasSuffix(".md") ? String(path.dropLast(3)) : path + ".drawings"
    if !curves.isEmpty { try Directory.create(stem, mode: 0o755) }
    for curve in curves {
      try write(CurveDrawing(curve).svg, to: "\(stem)/\(curve.curve.word).svg", mode: 0o644)
    }
    let folder = stem.split(separator: "/").last.map(String.init) ?? stem
    try write(markdown(drawings: folder), to: path, mode: 0o644)
  }

  private func markdown(drawings: String) -> String {
    let parts = [
      opening, conditions, servers, table, losses, misses, growth(drawings), sentences, remarks,
    ]
    return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
      .joined(separator: "\n\n") + "\n"
  }

  private var opening: [String] {
    [
      """
      # Benchmarks

      `make bench BENCH="--report docs/benchmarks.md"` wrote this page; `make deps-bench` installs
      the servers that are measured beside a11yd. Each of them was started for this, in a directory
      of its own, and given the same 4,096 announcement lines over and over, through its own C
      library in its best mode. They took turns with a11yd round by round. Every subscriber compared
      every line, all bytes, in its order; a server that lost one has no figure (–).

      Processor time is user and system time of all processes of a server, by the scheduler's
      account, without that of publishers and subscribers. The relay forwards bytes and stores
      nothing: the bound of sockets and scheduler. The sealing relay parses, numbers, seals and
      stores each line: the bound of a bus with a log. Neither of them decides what is heard.
      [The budget of an event](benchmarks/budget.md) tells where its time goes in a11yd.
      """
    ]
  }

  private var conditions: [String] {
    let size =
      divisor == 1 ? "" : " Sizes were divided by \(divisor); goals are for the full ones."
    return ["## The run", ""] + machine.sentences.map { "- " + $0 } + [
      "- Command: `\(command)`. Medians of \(rounds) rounds.\(size)"
    ]
  }

  private var servers: [String] {
    let heads = ["| server | version | as it was used | durability |", "| --- | --- | --- | --- |"]
    let own = daemon.map { version in
      "| a11yd | \(version) | requests and entries as lines over a Unix socket | "
        + "log on disk, written each turn, synchronised each second |"
    }
    let others = peers.map { peer, version in
      "| \(peer.rawValue) | \(version ?? ResultTable.none) | \(peer.way) | \(peer.durability) |"
    }
    return ["## The servers", ""] + heads + (own.map { [$0] } ?? []) + others
  }

  private var table: [String] {
    let lines = ResultTable.markdown(results.rows)
    if lines.isEmpty { return [] }
    return [
      "## The table",
      "",
      """
      Of rates more is better, of everything else less. A ratio is a11yd's figure as a multiple of
      the other's.
      """,
      "",
    ] + lines
  }

  /// The rows in which a server of others is better, since a table hides them among the others.
  private var losses: [String] {
    let lost = results.rows.compactMap { result -> String? in
      guard let own = result.daemonMedian, let (ratio, peer) = result.ratioToBest,
        result.row.isRate ? ratio < 1 : ratio > 1, let other = result.median(of: peer)
      else { return nil }
      return "- \(result.row.name): \(result.row.words(of: own)), and \(peer.rawValue) "
        + "\(result.row.words(of: other))."
    }
    guard results.rows.contains(where: { $0.ratioToBest != nil }) else { return [] }
    let words = lost.isEmpty ? ["Nowhere in this run."] : lost
    return ["## Where another server is better", ""] + words
  }

  /// The goals that this run has missed, each with the figure.
  private var misses: [String] {
    let missed = results.rows.compactMap { result -> String? in
      let goals = result.verdicts.filter { !$0.isMet }.map { $0.goal.phrase(in: result.row) }
      guard let own = result.daemonMedian, !goals.isEmpty else { return nil }
      return "- \(result.row.name): \(result.row.words(of: own)), and the goal is "
        + goals.joined(separator: ", ") + "."
    }
    guard results.rows.contains(where: { !$0.verdicts.isEmpty }) else { return [] }
    let reasons = "[The budget](benchmarks/budget.md#why-goals-are-missed) has the reasons."
    let words = missed.isEmpty ? ["None in this run."] : [reasons, ""] + missed
    return ["## Goals that are missed", ""] + words
  }

  /// The curves as drawings, and their numbers as text for all who do not see them.
  private func growth(_ drawings: String) -> [String] {
    if curves.isEmpty { return [] }
    let parts = curves.flatMap { curve in
      [
        "### \(curve.curve.title)", "",
        "![\(curve.curve.title)](\(drawings)/\(curve.curve.word).svg)", "",
      ] + curve.sentences.map { "- \($0)" } + [""]
    }
    return ["## Growth", "", "Each point was measured once.", ""] + parts.dropLast()
  }

  private var sentences: [String] {
    if results.rows.isEmpty { return [] }
    return ["## All figures", "", "Medians, with the least and the most of all rounds.", ""]
      + results.rows.map { "- \($0.sentence)" }
  }

  private var remarks: [String] {
    results.remarks.isEmpty ? [] : ["## Remarks", ""] + results.remarks.map { "- \($0)" }
  }
}

/// The machine of a run, in words.
struct MeasuredMachine {
  /// The processes that wanted a processor, on average of a minute, when the run began.
  private let loadBefore = MeasuredMachine.load

  var sentences: [String] {
    [
      "Machine: \(processor), \(processors) processors, \(memory).",
      "System: \(distribution), \(kernel).",
      "Load of the machine, on average of a minute: \(loadBefore) when the run began, "
        + "\(Self.load) when it ended; the benchmark's own is in the second.",
    ]
  }

  private static var load: String {
    String(text(of: "/proc/loadavg")?.prefix { $0 != " " } ?? "unknown")
  }

  private var processors: Int {
    let lines = text(of: "/proc/cpuinfo")?.split(separator: "\n") ?? []
    return lines.count { $0.hasPrefix("processor") }
  }

  private var processor: String {
    Self.value(of: "model name", in: "/proc/cpuinfo", before: ":") ?? "unknown processor"
  }

  private var memory: String {
    let total = Self.value(of: "MemTotal", in: "/proc/meminfo", before: ":")
    guard let kibibytes = total?.split(separator: " ").first.flatMap({ Double($0) }) else {
      return "unknown memory"
    }
    return "\(grouped(kibibytes / 1024 / 1024)) GiB of memory"
  }

  private var distribution: String {
    let name = Self.value(of: "PRETTY_NAME", in: "/etc/os-release", before: "=")
    return name?.split(separator: "\"").joined() ?? "unknown distribution"
  }

  private var kernel: String {
    let release = text(of: "/proc/sys/kernel/osrelease")?.split(separator: "\n").first
    return "Linux " + (release.map(String.init) ?? "of an unknown release")
  }

  /// The rest of the line that begins with a name.
  private static func value(of name: String, in path: String, before sign: Character) -> String? {
    let lines = text(of: path)?.split(separator: "\n") ?? []
    guard let line = lines.first(where: { $0.hasPrefix(name) }),
      let place = line.firstIndex(of: sign)
    else { return nil }
    let value = line[line.index(after: place)...].drop { $0 == " " || $0 == "\t" }
    return String(value)
  }
}

/// The version that a program tells, in the first line that it prints when it is asked.
func version(
  of program: String,
  _ question: String = "--version",
  in directory: String
) throws -> String {
  let output = directory + "/version"
  // Some end with a code of their own after the question for help.
  _ = try StartedProgram([program, question], home: directory, output: output).waitUntilEnd()
  let line = text(of: output)?.split(separator: "\n").first ?? "a version that it does not tell"
  // Redis goes on with the details of its build.
  return line.split(separator: " ").prefix { !$0.hasPrefix("sha=") }.joined(separator: " ")
}

func version(of peer: Peer, in directory: String) throws -> String? {
  if peer == .sqlite { return Table.version }
  guard let name = peer.program, let path = try? Peer.installed(name) else { return nil }
  return try version(of: path, peer == .mosquitto ? "-h" : "--version", in: directory)
}
