// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Something that is measured, round by round, of the daemon and of what it takes turns with.
protocol Figure: AnyObject {
  /// The lines of the table that this fills.
  var rows: [Row] { get }
  /// Nil where there is nothing that the daemon could be compared with.
  var peer: Peer? { get }
  /// Why this cannot be measured here; nil where it can.
  var obstacle: String? { get }
  /// What has to be known to read the rows, once they were measured: each a sentence.
  var remarks: [String] { get }

  /// Measures once and returns a value for each row.
  func round(_ subject: RoundSubject) throws(BenchFailure) -> [Double]
}

extension Figure {
  var peer: Peer? { .relay }
  var obstacle: String? { nil }
  var remarks: [String] { [] }
}

/// What all figures of a run have in common.
struct BenchSetting {
  /// The directory in which homes are made.
  let directory: String
  /// Sizes are divided by this.
  let divisor: Int
  /// How long the disk stays full.
  let fullSeconds: Int

  func size(_ full: Int) -> Int { full / divisor }

  func home(_ name: String) throws(BenchFailure) -> Home {
    try Home(name, below: directory)
  }

  var fileSystem: FileSystem { FileSystem(of: directory) }
}

/// The figures by the names that the command line knows.
enum FigureName: String, CaseIterable {
  case stream
  case fanOut = "fan-out"
  case latency
  case replay
  case start
  case memory
  case publishers
  case synced
  case sqlite
  case start10m
  case fullDisk = "full-disk"
  case focus
  case heard
  case flood
  case simulate
  case replayLog = "replay-log"

  /// What is measured when nobody has chosen: all that does not take minutes by itself.
  static var usual: [FigureName] { allCases.filter { $0 != .start10m && $0 != .fullDisk } }

  func figure(_ setting: BenchSetting) -> any Figure {
    switch self {
    case .stream: StreamFigure(setting)
    case .fanOut: FanOutFigure(setting)
    case .latency: LatencyFigure(setting)
    case .replay: ReplayFigure(setting)
    case .start: StartUpFigure(setting)
    case .memory: MemoryFigure(setting)
    case .publishers: PublishersFigure(setting)
    case .synced: SyncedFigure(setting)
    case .sqlite: SQLiteFigure(setting)
    case .start10m: LongHistoryFigure(setting)
    case .fullDisk: FullDiskFigure(setting)
    case .focus: FocusFigure(setting)
    case .heard: HeardFigure(setting)
    case .flood: FloodFigure(setting)
    case .simulate: SimulateFigure(setting)
    case .replayLog: ReplayLogFigure(setting)
    }
  }
}
