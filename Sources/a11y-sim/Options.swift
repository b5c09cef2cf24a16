// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// What the command line asks for.
struct Options {
  enum Parsed {
    case run(Options)
    case help
    case unusable(String)
  }

  var seeds: ClosedRange<UInt64> = 1...1
  var steps = 300
  var isVerbose = false
  var canaries: [Canary] = []
  var loops: [Loop] = []

  static let help = """
    Usage: a11y-sim [--seed N | --seeds A..B | --count N [--from S]] [--steps K] [--verbose]
           a11y-sim --canary NAME|all [--count N]
           a11y-sim --io-faults | --crashes | --truncations | --flips

    Runs the bus and its log on a simulated clock, disk and sockets, with faults that a seed chooses,
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

  static func parse(_ words: some Sequence<String>) -> Parsed {
    var options = Options()
    var count: UInt64?
    var from: UInt64 = 1
    var rest = Array(words)[...]
    while let word = rest.popFirst() {
      switch word {
      case "--help", "-h": return .help
      case "--verbose": options.isVerbose = true
      case "--seed":
        guard let seed = rest.popFirst().flatMap({ UInt64($0) }) else {
          return .unusable("--seed wants a number")
        }
        options.seeds = seed...seed
      case "--seeds":
        guard let range = rest.popFirst().flatMap(range) else {
          return .unusable("--seeds wants two numbers, as in 1..1000")
        }
        options.seeds = range
      case "--count":
        guard let number = rest.popFirst().flatMap({ UInt64($0) }), number > 0 else {
          return .unusable("--count wants a number")
        }
        count = number
      case "--from":
        guard let number = rest.popFirst().flatMap({ UInt64($0) }) else {
          return .unusable("--from wants a number")
        }
        from = number
      case "--steps":
        guard let steps = rest.popFirst().flatMap({ Int($0) }), steps > 0 else {
          return .unusable("--steps wants a number")
        }
        options.steps = steps
      case "--canary":
        let name = rest.popFirst() ?? ""
        let known = Canary.allCases.map(\.rawValue).joined(separator: ", ")
        guard name == "all" || Canary(rawValue: name) != nil else {
          return .unusable("--canary wants all or one of \(known)")
        }
        options.canaries =
          name == "all" ? Canary.allCases : Canary(rawValue: name).map { [$0] } ?? []
      default:
        guard let loop = Loop(rawValue: String(word.dropFirst(2))), word.hasPrefix("--") else {
          return .unusable("there is no \(word)")
        }
        options.loops.append(loop)
      }
    }
    if let count { options.seeds = from...(from + count - 1) }
    return .run(options)
  }

  private static func range(_ text: String) -> ClosedRange<UInt64>? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: true)
    guard parts.count == 2, let first = UInt64(parts[0]), let last = UInt64(parts[1]),
      first <= last
    else { return nil }
    return first...last
  }
}

/// What is tried in full, and not by chance.
enum Loop: String, CaseIterable {
  case ioFaults = "io-faults"
  case crashes
  case truncations
  case flips
}
