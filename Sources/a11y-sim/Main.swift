// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Glibc

@main
enum Main {
  static func main() {
    repeatably()
    let options: SimOptions
    do throws(CommandLineOptions.Mistake) {
      options = try SimOptions(Array(CommandLine.arguments.dropFirst()))
    } catch {
      StandardError.write("a11y-sim: \(error.words). Try a11y-sim --help.\n")
      exit(64)
    }
    if options.isHelp {
      say(SimOptions.help)
    } else {
      exit(Fleet(options).run() ? 0 : 1)
    }
  }

  /// Sets and dictionaries have another order in every process; a seed must not have another run.
  private static func repeatably() {
    let name = "SWIFT_DETERMINISTIC_HASHING"
    guard getenv(name) == nil, setenv(name, "1", 1) == 0 else { return }
    execv("/proc/self/exe", CommandLine.unsafeArgv)
  }
}

/// A line for people; when nobody listens there is nothing to be done about it.
func say(_ text: String) { _ = StandardOutput.write(text + "\n") }

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

/// Many runs, one after the other, and what there is to say of them.
struct Fleet {
  private let options: SimOptions

  init(_ options: SimOptions) { self.options = options }

  /// True if all went as it should.
  func run() -> Bool {
    if !options.canaries.isEmpty { return releaseCanaries() }
    if !options.loops.isEmpty { return options.loops.allSatisfy { $0.run() } }
    return runSeeds()
  }

  private func runSeeds() -> Bool {
    say("a11y-sim: seeds \(options.seeds.lowerBound) to \(options.seeds.upperBound)")
    let start = Self.now
    var done = 0
    for seed in options.seeds {
      if options.seeds.count == 1 { say("seed \(seed)") }
      let trace = Trace(isKept: false, isPrinted: options.isVerbose)
      let run = SimRun(seed: seed, steps: options.steps, trace: trace, canary: nil)
      if let divergence = run.run() {
        tell(divergence, seed)
        return false
      }
      done += 1
      if done.isMultiple(of: 100) {
        let minutes = Double(Self.now - start) / 60_000_000_000
        say("seed \(seed): fine so far; \(Int(Double(done) / minutes)) seeds a minute")
      }
    }
    say("\(done) seeds, nothing found")
    return true
  }

  /// Runs the seed again, to see what has led to it.
  private func tell(_ divergence: Divergence, _ seed: UInt64) {
    let trace = Trace(isKept: true, isPrinted: false)
    _ = SimRun(seed: seed, steps: options.steps, trace: trace, canary: nil).run()
    say("The last steps:")
    for line in trace.lines.suffix(options.isVerbose ? 0 : 20) { say("  \(line)") }
    say("seed \(seed), step \(divergence.step)")
    say("expected: \(divergence.expected)")
    say("came:     \(divergence.came)")
    say("again: a11y-sim --seed \(seed) --steps \(options.steps) --verbose")
  }

  /// Each canary must be found by some run; how many it took is told.
  private func releaseCanaries() -> Bool {
    let enough = max(UInt64(options.seeds.count), Self.patience)
    var isFine = true
    for canary in options.canaries {
      var found: (seed: UInt64, divergence: Divergence)?
      for seed in 1...enough where found == nil {
        let trace = Trace(isKept: false, isPrinted: false)
        let run = SimRun(seed: seed, steps: options.steps, trace: trace, canary: canary)
        if let divergence = run.run() { found = (seed, divergence) }
      }
      if let found {
        say("canary \(canary.rawValue): found with seed \(found.seed), \(found.divergence.came)")
      } else {
        say("canary \(canary.rawValue): not found by \(enough) seeds")
        isFine = false
      }
    }
    // A single canary is a fault like any other: finding it is a failure.
    return options.canaries.count == 1 ? !isFine : isFine
  }

  /// Runs in which a canary has to be found.
  private static let patience: UInt64 = 300

  private static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
