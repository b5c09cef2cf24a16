// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

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
