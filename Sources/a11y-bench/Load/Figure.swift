// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Something that is measured, round by round, against the daemon and against the relay.
protocol Figure: AnyObject {
  /// The lines of the table that this fills.
  var rows: [Row] { get }

  /// Measures once and returns a value for each row.
  func round(_ subject: Subject) throws(Failure) -> [Double]
}

/// What all figures of a run have in common.
struct Setting {
  /// The directory in which homes are made.
  let directory: String
  /// Sizes are divided by this.
  let divisor: Int

  func size(_ full: Int) -> Int { full / divisor }

  func home(_ name: String) throws(Failure) -> Home {
    try Home(name, below: directory)
  }
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

  func figure(_ setting: Setting) -> any Figure {
    switch self {
    case .stream: Stream(setting)
    case .fanOut: FanOut(setting)
    case .latency: Latency(setting)
    case .replay: Replay(setting)
    case .start: StartUp(setting)
    case .memory: Memory(setting)
    case .publishers: Publishers(setting)
    }
  }
}
