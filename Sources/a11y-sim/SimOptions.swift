// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix

/// The options of the command line.
struct SimOptions {
  private enum Flag: String, CommandLineFlag {
    case seed, seeds, count, from, steps, canary, verbose
    case ioFaults = "io-faults"
    case crashes, truncations, flips, help

    var needsValue: Bool {
      switch self {
      case .seed, .seeds, .count, .from, .steps, .canary: true
      case .verbose, .ioFaults, .crashes, .truncations, .flips, .help: false
      }
    }
  }

  var isHelp = false
  var seeds: ClosedRange<UInt64> = 1...1
  var steps = 300
  var isVerbose = false
  var canaries: [Canary] = []
  var loops: [FaultLoop] = []

  static let help = """
    Usage: a11y-sim [--seed N | --seeds A..B | --count N [--from S]] [--steps K] [--verbose]
           a11y-sim --canary NAME|all [--count N]
           a11y-sim --io-faults | --crashes | --truncations | --flips

    Runs the bus and its log on a simulated clock, disk and sockets, with faults that a seed \
    chooses,
    and judges all that leaves it. The same seed is the same run on every machine.

      --seed N         one run
      --seeds A..B     these runs
      --count N        so many runs, from --from on (default 1)
      --steps K        so many steps each (default 300)
      --verbose        print every step
      --canary NAME    break the harness itself, which must be found; all: every way there is
      --io-faults      fail each call to the disk, once and from then on, in every way
      --crashes        end after each call to the disk, in every way, during recovery too
      --truncations    cut a segment at each of its last 8192 bytes, and add zeros and junk
      --flips          flip each bit of a segment of 64 KiB

    Ends with 0 if nothing was found, else with 1; a run that fails says which seed it was.
    """

  init() {}

  /// Reads the words behind the program's name.
  init(_ words: [String]) throws(CommandLineOptions.Mistake) {
    var count: UInt64?
    var from: UInt64 = 1
    for (flag, given) in try CommandLineOptions.parse(words, as: Flag.self) {
      switch flag {
      case .help: isHelp = true
      case .verbose: isVerbose = true
      case .seed:
        let seed: UInt64 = try given.number()
        seeds = seed...seed
      case .seeds:
        guard let range = Self.range(given.value) else {
          throw .init(words: "--seeds expects two numbers, as in 1..1000; got \(given.value)")
        }
        seeds = range
      case .count: count = try given.number(in: 1 ... .max)
      case .from: from = try given.number()
      case .steps: steps = try given.number(in: 1 ... .max)
      case .canary: canaries = try Self.canaries(given.value)
      case .ioFaults: loops.append(.ioFaults)
      case .crashes: loops.append(.crashes)
      case .truncations: loops.append(.truncations)
      case .flips: loops.append(.flips)
      }
    }
    if let count { seeds = from...(from + count - 1) }
  }

  private static func canaries(_ name: String) throws(CommandLineOptions.Mistake) -> [Canary] {
    if name == "all" { return Canary.allCases }
    if let canary = Canary(rawValue: name) { return [canary] }
    let known = Canary.allCases.map(\.rawValue).joined(separator: ", ")
    throw .init(words: "--canary expects all or one of \(known); got \(name)")
  }

  private static func range(_ text: String) -> ClosedRange<UInt64>? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: true)
    guard parts.count == 2, let first = UInt64(parts[0]), let last = UInt64(parts[1]),
      first <= last
    else { return nil }
    return first...last
  }
}

/// The loops that try every case instead of cases by chance.
enum FaultLoop: String, CaseIterable {
  case ioFaults = "io-faults"
  case crashes
  case truncations
  case flips
}
