// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Glibc

/// The growth of a cost with the size of one thing.
struct GrowthCurve {
  /// The values of one server, one for each size; nil where it was not measured.
  struct Series {
    let name: String
    let values: [Double?]
  }

  let name: CurveName
  let sizes: [Int]
  var series: [Series] = []
  /// The sizes at which a server failed, and how.
  var failures: [String] = []

  /// The values as sentences, for all who do not see the drawing.
  var sentences: [String] {
    series.map { line in
      let words = zip(sizes, line.values).compactMap { size, value in
        value.map { value in
          let place = grouped(Double(size))
          return "\(grouped(value, decimals: name.decimals)) at \(place)"
        }
      }
      return "\(line.name): \(words.joined(separator: ", "))."
    } + failures
  }
}

/// The curves by the names that the command line knows.
enum CurveName: String, CaseIterable {
  case subscribers, entries, rules, elements, readers

  var title: String {
    switch self {
    case .subscribers: "Processor time per delivery in µs, by subscribers"
    case .entries: "Start after a clean stop in ms, by entries on disk"
    case .rules: "Processor time per event in µs, by rules of the user"
    case .elements: "Processor time of a step of the focus in µs, by elements of the window"
    case .readers: "Processor time per event in µs, by readers that report"
    }
  }

  var sizes: [Int] {
    switch self {
    case .subscribers: [1, 10, 100, 1_000, 10_000]
    case .entries: [1_000, 10_000, 100_000, 1_000_000, 10_000_000]
    // The daemon takes 512 rules in all, its own among them; a file with more is left out.
    case .rules: [1, 10, 100, 490]
    case .elements: [1, 10, 100, 1_000, 10_000, 100_000]
    case .readers: [0, 1, 2, 5, 10]
    }
  }

  var peers: [Peer] {
    switch self {
    case .subscribers: Peer.buses
    case .entries: [.redis, .nats]
    case .rules, .elements, .readers: []
    }
  }

  /// The largest size at which a peer is measured; beyond it a run would take too long.
  func bound(of peer: Peer) -> Int {
    switch (self, peer) {
    case (.subscribers, .nats), (.subscribers, .mosquitto): 1_000
    case (.entries, _): 1_000_000
    default: .max
    }
  }

  var decimals: Int { self == .entries || self == .elements ? 1 : 2 }
}

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
      [daemon.map(Subject.daemon)].compactMap(\.self)
      + name.peers.filter(peers.contains).map(Subject.peer)
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
    of subject: Subject,
    in curve: inout GrowthCurve
  ) -> Double? {
    let name = curve.name
    if case .peer(let peer) = subject, size > name.bound(of: peer) { return nil }
    let place = "\(name.rawValue) \(size), \(subject.name)"
    do throws {
      let value = try value(size, of: name, subject)
      say("\(place): \(grouped(value, decimals: name.decimals))")
      return value
    } catch {
      say("\(place): \(error)")
      let words = grouped(Double(size))
      curve.failures.append("No figure of \(subject.name) at \(words): \(error)")
      return nil
    }
  }

  private func value(_ size: Int, of name: CurveName, _ subject: Subject) throws -> Double {
    switch name {
    case .subscribers:
      // About as many deliveries with each number of subscribers.
      let events = min(setting.size(200_000), max(setting.size(3_000_000) / size, 200))
      let wide = FanOut.wideLimits
      return try FanOut(setting, subscribers: size, events: events, settings: wide)
        .measure(subject)[1]
    case .entries:
      let more = min(size, 10_000)
      if case .peer(let peer) = subject {
        return try PeerHistory(of: size, adding: more, peer, in: setting).restart().afterStop
      }
      let home = try setting.home("growth")
      return try OwnHistory(of: size, adding: more, subject, in: home).restart().afterStop
    case .rules:
      let directory = setting.directory + "/rules"
      try Directory.create(directory, mode: 0o700)
      defer { remove(directory) }
      try write(rules(size), to: directory + "/bench.toml")
      let settings = "[rules]\ndirs = [\"\(directory)\"]\n"
      let events = setting.size(200_000)
      return try FanOut(setting, subscribers: 1, events: events, settings: settings)
        .measure(subject)[1]
    case .elements: return try LargeWindow(setting).measure(size, subject).next
    case .readers: return try Heard(setting).measure(subject, readers: size)[1]
    }
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

/// A growth curve as an SVG image, whose title and description have all of its words and numbers.
///
/// Both axes are logarithmic, so that a cost that grows with the size rises by one line for one
/// step. The lines differ by dashes and marks, not by colours alone, and each has its name at its
/// end.
struct CurveDrawing {
  private let curve: GrowthCurve
  /// The powers of ten of the lowest and of the highest line of the grid.
  private let lowest: Int
  private let highest: Int

  private static let width = 760
  private static let height = 420
  private static let left = 70
  private static let right = 590
  private static let top = 50
  private static let bottom = 360
  private static let lineHeight = 15

  private static let colours = [
    "#0b3d91", "#6b6b6b", "#2e7d32", "#b3261e", "#8a5a00", "#6a1b9a", "#00696b",
  ]
  private static let dashes = ["", "2 3", "6 3", "10 4", "8 3 2 3", "4 4", "12 3 2 3 2 3"]

  init(_ curve: GrowthCurve) {
    self.curve = curve
    let values = curve.series.flatMap { $0.values.compactMap(\.self) }.filter { $0 > 0 }
    lowest = Int(floor(log10(values.min() ?? 1)))
    highest = max(lowest + 1, Int(ceil(log10(values.max() ?? 10))))
  }

  var svg: String {
    let words = curve.sentences.joined(separator: " ")
    let head = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.width) \(Self.height)" \
      role="img" aria-labelledby="title desc" font-family="sans-serif" font-size="13">
      <title id="title">\(curve.name.title)</title>
      <desc id="desc">\(Self.escaped(words))</desc>
      <rect width="100%" height="100%" fill="#ffffff"/>
      <text x="\(Self.left)" y="28" font-size="16">\(curve.name.title)</text>

      """
    return head + grid + lines + "</svg>\n"
  }

  private var grid: String {
    var text = ""
    for power in lowest...highest {
      let y = height(of: pow(10, Double(power)))
      let label = grouped(pow(10, Double(power)), decimals: max(0, -power))
      text += #"<line x1="\#(Self.left)" y1="\#(y)" x2="\#(Self.right)" y2="\#(y)" "#
      text += "stroke=\"#d0d0d0\"/>\n"
      text +=
        #"<text x="\#(Self.left - 8)" y="\#(y + 4)" text-anchor="end">\#(label)</text>"# + "\n"
    }
    for (index, size) in curve.sizes.enumerated() {
      let label = grouped(Double(size))
      text += #"<text x="\#(place(of: index))" y="\#(Self.bottom + 22)" "#
      text += "text-anchor=\"middle\">\(label)</text>\n"
    }
    return text
  }

  private var lines: String {
    var text = ""
    let ends = endHeights
    for (number, series) in curve.series.enumerated() {
      let colour = Self.colours[number % Self.colours.count]
      let dash = Self.dashes[number % Self.dashes.count]
      let points = points(of: series)
      guard let last = points.last else { continue }
      let path = points.map { "\($0.x),\($0.y)" }.joined(separator: " ")
      text += #"<polyline points="\#(path)" fill="none" stroke="\#(colour)" stroke-width="2" "#
      text += "stroke-dasharray=\"\(dash)\"/>\n"
      for point in points {
        text += #"<circle cx="\#(point.x)" cy="\#(point.y)" r="3" fill="\#(colour)"/>"# + "\n"
      }
      let end = ends[number] ?? last.y
      text += #"<line x1="\#(last.x + 4)" y1="\#(last.y)" x2="\#(Self.right + 18)" y2="\#(end)" "#
      text += "stroke=\"\(colour)\" stroke-width=\"0.5\"/>\n"
      text += #"<text x="\#(Self.right + 22)" y="\#(end + 4)" fill="\#(colour)">"#
      text += "\(series.name)</text>\n"
    }
    return text
  }

  /// The heights of the names, which keep their distance from each other.
  private var endHeights: [Int: Int] {
    let wanted = curve.series.enumerated().compactMap { number, series in
      points(of: series).last.map { (number, $0.y) }
    }
    var heights: [Int: Int] = [:]
    var next = Int.min
    for (number, y) in wanted.sorted(by: { $0.1 < $1.1 }) {
      let height = max(y, next)
      heights[number] = height
      next = height + Self.lineHeight
    }
    return heights
  }

  private func points(of series: GrowthCurve.Series) -> [(x: Int, y: Int)] {
    series.values.enumerated().compactMap { index, value in
      value.flatMap { $0 > 0 ? (place(of: index), height(of: $0)) : nil }
    }
  }

  /// The words of a failure may have signs of XML.
  private static func escaped(_ words: String) -> String {
    words.split(separator: "&", omittingEmptySubsequences: false).joined(separator: "&amp;")
      .split(separator: "<", omittingEmptySubsequences: false).joined(separator: "&lt;")
  }

  private func place(of index: Int) -> Int {
    Self.left + (Self.right - Self.left) * index / max(1, curve.sizes.count - 1)
  }

  private func height(of value: Double) -> Int {
    let share = (log10(value) - Double(lowest)) / Double(highest - lowest)
    return Self.bottom - Int((share * Double(Self.bottom - Self.top)).rounded())
  }
}
