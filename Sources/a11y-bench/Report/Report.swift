// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
  func replaceFiles(at path: String) throws(BenchFailure) {
    let stem = path.hasSuffix(".md") ? String(path.dropLast(3)) : path + ".drawings"
    if !curves.isEmpty, !Files.isDirectory(stem) { try Files.makeDirectory(stem) }
    for curve in curves {
      try Files.replace("\(stem)/\(curve.name.rawValue).svg", with: CurveDrawing(curve).svg)
    }
    let folder = stem.split(separator: "/").last.map(String.init) ?? stem
    try Files.replace(path, with: markdown(drawings: folder))
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
        "### \(curve.name.title)", "",
        "![\(curve.name.title)](\(drawings)/\(curve.name.rawValue).svg)", "",
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
