// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Glibc

/// The same work at sizes from small to very large, measured once each.
struct Curve: Sendable {
  /// The name that the command line knows.
  let word: String
  let title: String
  let decimals: Int
  let sizes: [Int]
  /// The largest size of a quick run.
  var quickly = 1_000
  /// The peers, each with the largest size at which it is measured; beyond it a run would take too
  /// long.
  var peers: [(peer: Peer, most: Int)] = []
  let value: @Sendable (_ size: Int, Subject, BenchSetting) throws -> Double

  static let all = [
    Curve(
      word: "subscribers",
      title: "Processor time per delivery in µs, by subscribers",
      decimals: 2,
      sizes: [1, 10, 100, 1_000, 10_000],
      peers: Peer.buses.map { ($0, [.nats, .mosquitto].contains($0) ? 1_000 : .max) }
    ) { size, subject, setting in
      // About as many deliveries with each number of subscribers.
      let events = min(setting.size(200_000), max(setting.size(3_000_000) / size, 200))
      let wide = FanOut.wideLimits
      return try FanOut(setting, subscribers: size, events: events, settings: wide)
        .measure(subject)[1]
    },
    Curve(
      word: "entries",
      title: "Start after a clean stop in ms, by entries on disk",
      decimals: 1,
      sizes: [1_000, 10_000, 100_000, 1_000_000, 10_000_000],
      quickly: 1_000_000,
      peers: [(.redis, 1_000_000), (.nats, 1_000_000)]
    ) { size, subject, setting in
      let more = min(size, 10_000)
      if case .peer(let peer) = subject {
        return try PeerHistory(of: size, adding: more, peer, in: setting).restart().afterStop
      }
      let home = try setting.home("growth")
      return try OwnHistory(of: size, adding: more, subject, in: home).restart().afterStop
    },
    Curve(
      word: "rules",
      title: "Processor time per event in µs, by rules of the user",
      decimals: 2,
      // The daemon takes 512 rules in all, its own among them; a file with more is left out.
      sizes: [1, 10, 100, 490]
    ) { size, subject, setting in
      let directory = setting.directory + "/rules"
      try Directory.create(directory, mode: 0o700)
      defer { remove(directory) }
      try write(rules(size), to: directory + "/bench.toml")
      let settings = "[rules]\ndirs = [\"\(directory)\"]\n"
      let events = setting.size(200_000)
      return try FanOut(setting, subscribers: 1, events: events, settings: settings)
        .measure(subject)[1]
    },
    Curve(
      word: "elements",
      title: "Processor time of a step of the focus in µs, by elements of the window",
      decimals: 1,
      sizes: [1, 10, 100, 1_000, 10_000, 100_000]
    ) { size, subject, setting in try LargeWindow(setting).measure(size, subject).next },
    Curve(
      word: "readers",
      title: "Processor time per event in µs, by readers that report",
      decimals: 2,
      sizes: [0, 1, 2, 5, 10]
    ) { size, subject, setting in try Heard(setting).measure(subject, readers: size)[1] },
  ]

  /// Rules for apps that publish nothing: each of them is asked and does not match.
  private static func rules(_ count: Int) -> String {
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

  /// Measures it beside those of the peers that are here; a quick run leaves out the largest sizes.
  func measure(_ daemon: String?, _ present: Set<Peer>, in setting: BenchSetting) -> GrowthCurve {
    var growth = GrowthCurve(
      curve: self,
      sizes: sizes.filter { setting.divisor == 1 || $0 <= quickly }
    )
    var subjects: [(subject: Subject, most: Int)] = []
    if let daemon { subjects.append((.daemon(daemon), .max)) }
    subjects += peers.filter { present.contains($0.peer) }.map { (.peer($0.peer), $0.most) }
    for (subject, most) in subjects {
      let values = growth.sizes.map { size in
        size > most ? nil : point(size, of: subject, in: setting, &growth)
      }
      growth.series.append(.init(name: subject.name, values: values))
    }
    return growth
  }

  /// One value; nil where a server fails, which the curve then tells.
  private func point(
    _ size: Int,
    of subject: Subject,
    in setting: BenchSetting,
    _ growth: inout GrowthCurve
  ) -> Double? {
    let place = "\(word) \(size), \(subject.name)"
    do {
      let value = try value(size, subject, setting)
      say("\(place): \(grouped(value, decimals: decimals))")
      return value
    } catch {
      say("\(place): \(error)")
      growth.failures.append(
        "No figure of \(subject.name) at \(grouped(Double(size))): \(error)"
      )
      return nil
    }
  }
}

/// The growth of a cost with the size of one thing, as it was measured.
struct GrowthCurve {
  /// The values of one server, one for each size; nil where it was not measured.
  struct Series {
    let name: String
    let values: [Double?]
  }

  let curve: Curve
  let sizes: [Int]
  var series: [Series] = []
  /// The sizes at which a server failed, and how.
  var failures: [String] = []

  /// The values as sentences, for all who do not see the drawing.
  var sentences: [String] {
    series.map { line in
      let words = zip(sizes, line.values).compactMap { size, value in
        value.map { "\(grouped($0, decimals: curve.decimals)) at \(grouped(Double(size)))" }
      }
      return "\(line.name): \(words.joined(separator: ", "))."
    } + failures
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
      <title id="title">\(curve.curve.title)</title>
      <desc id="desc">\(Self.escaped(words))</desc>
      <rect width="100%" height="100%" fill="#ffffff"/>
      <text x="\(Self.left)" y="28" font-size="16">\(curve.curve.title)</text>

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
