// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Measures growth curves: the same work at sizes from small to very large, once each.
struct Growth {
  let daemon: String?
  let peers: Set<Peer>
  let setting: BenchSetting

  /// Measures a curve; a quick run leaves out the largest sizes.
  func curve(_ name: CurveName) -> GrowthCurve {
    let most = setting.divisor > 1 ? (name == .entries ? 1_000_000 : 1_000) : Int.max
    let sizes = name.sizes.filter { $0 <= most }
    let subjects =
      [daemon.map(RoundSubject.daemon)].compactMap(\.self)
      + name.peers.filter(peers.contains).map(RoundSubject.peer)
    var curve = GrowthCurve(name: name, sizes: sizes)
    for subject in subjects {
      let values = sizes.map { point($0, of: subject, in: &curve) }
      curve.series.append(.init(name: subject.name, values: values))
    }
    return curve
  }

  /// One value; nil beyond the bound of a peer, and where a server fails, which the curve then
  /// tells.
  private func point(
    _ size: Int,
    of subject: RoundSubject,
    in curve: inout GrowthCurve
  ) -> Double? {
    let name = curve.name
    if case .peer(let peer) = subject, size > name.bound(of: peer) { return nil }
    let place = "\(name.rawValue) \(size), \(subject.name)"
    do throws(BenchFailure) {
      let value = try value(size, of: name, subject)
      say("\(place): \(value.map { grouped($0, decimals: name.decimals) } ?? ResultTable.none)")
      return value
    } catch {
      say("\(place): \(error.sentence)")
      let words = grouped(Double(size), decimals: 0)
      curve.failures.append("No figure of \(subject.name) at \(words): \(error.sentence)")
      return nil
    }
  }

  private func value(
    _ size: Int,
    of name: CurveName,
    _ subject: RoundSubject
  ) throws(BenchFailure) -> Double? {
    switch name {
    case .subscribers:
      // About as many deliveries with each number of subscribers.
      let events = min(setting.size(200_000), max(setting.size(3_000_000) / size, 200))
      var traffic = TrafficFigures(events: events, subscribers: size)
      traffic.settings = TrafficFigures.wideLimits
      return try traffic.measure(subject, in: setting)[1]
    case .entries: return try startMilliseconds(size, subject)
    case .rules:
      var traffic = TrafficFigures(events: setting.size(200_000), subscribers: 1)
      let directory = setting.directory + "/rules"
      try Files.makeDirectory(directory)
      defer { Files.remove(directory) }
      try Files.create(rules(size), to: directory + "/bench.toml")
      traffic.settings = "[rules]\ndirs = [\"\(directory)\"]\n"
      return try traffic.measure(subject, in: setting)[1]
    case .elements: return try FocusFigure(setting).measure(size, subject).next
    case .readers:
      return try HeardFigure(setting).measure(subject, readers: size).microsecondsPerEvent
    }
  }

  private func startMilliseconds(
    _ entries: Int,
    _ subject: RoundSubject
  ) throws(BenchFailure) -> Double {
    let more = min(entries, 10_000)
    if case .peer(let peer) = subject {
      return try PeerHistory(of: entries, adding: more, peer, in: setting).restart().afterStop
    }
    let home = try setting.home("growth")
    return try History(of: entries, adding: more, subject, in: home).restart().afterStop
  }

  /// Rules for apps that publish nothing: each of them is asked and does not match.
  private func rules(_ count: Int) -> String {
    (0..<count).map { number in
      """
      [[rule]]
      name = "bench \(number)"
      type = "announcement"
      app = "org.example.app\(number).*"
      rate = "1/5 s"

      """
    }.joined()
  }
}
