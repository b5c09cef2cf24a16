// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A measurement, round by round, of the daemon and of its peers.
protocol Figure: AnyObject {
  /// The rows of the table that the figure fills.
  var rows: [Row] { get }
  /// The peers of the daemon.
  var peers: [Peer] { get }
  /// The reason why the figure cannot be measured here, if there is one.
  var obstacle: String? { get }
  /// Sentences without which the measured rows cannot be understood.
  var remarks: [String] { get }

  /// Measures once and returns a value for each row; nil where the subject has no such thing.
  func measureRound(_ subject: RoundSubject) throws(BenchFailure) -> [Double?]
}

extension Figure {
  var peers: [Peer] { [.relay] }
  var obstacle: String? { nil }
  var remarks: [String] { [] }
}

/// The common settings of all figures of a run.
struct BenchSetting {
  /// The directory of all homes.
  let directory: String
  /// The divisor of all sizes.
  let divisor: Int
  /// The seconds for which the disk stays full.
  let fullSeconds: Int
  /// The lines of every load, as files for those in C.
  let lines: PublishedLines

  func size(_ full: Int) -> Int { full / divisor }

  func home(_ name: String, settings: String = "") throws(BenchFailure) -> Home {
    try Home(name, below: directory, settings: settings)
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
  case thousand = "subscribers1k"
  case tenThousand = "subscribers10k"
  case late
  case fullDisk = "full-disk"
  case focus
  case heard
  case flood
  case simulate
  case replayLog = "replay-log"
  case post

  /// The figures that are measured by default: all that do not take minutes.
  static var usual: [FigureName] {
    let long: [FigureName] = [.start10m, .thousand, .tenThousand, .late, .fullDisk]
    return allCases.filter { !long.contains($0) }
  }

  func figure(_ setting: BenchSetting) -> any Figure {
    switch self {
    case .stream: FanOutFigure(setting, .one)
    case .fanOut: FanOutFigure(setting, .hundred)
    case .thousand: FanOutFigure(setting, .thousand)
    case .tenThousand: FanOutFigure(setting, .tenThousand)
    case .latency: LatencyFigure(setting)
    case .replay: ReplayFigure(setting)
    case .start: StartUpFigure(setting)
    case .memory: MemoryFigure(setting)
    case .publishers: PublishersFigure(setting)
    case .synced: SyncedFigure(setting)
    case .sqlite: SQLiteFigure(setting)
    case .start10m: LongHistoryFigure(setting)
    case .late: LateFigure(setting)
    case .fullDisk: FullDiskFigure(setting)
    case .focus: FocusFigure(setting)
    case .heard: HeardFigure(setting)
    case .flood: FloodFigure(setting)
    case .simulate: SimulateFigure(setting)
    case .replayLog: ReplayLogFigure(setting)
    case .post: PostFigure(setting)
    }
  }
}
