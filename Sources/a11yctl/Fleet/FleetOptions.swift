// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

/// The options of commands that ask about a fleet: the engine, and the place to begin with.
struct FleetOptions: OptionGroup {
  private let from: Repeated<Whence>
  private let since: Option<Int64>?
  @Option("config", "FILE", "read this file of settings in place of the usual ones")
  private var config: String?
  @Flag("json", "print JSON, an object on each line") var isJSON: Bool

  /// The options of commands that read no entries from a place on.
  init() {
    let explanation = "the engine: nats://HOST:PORT or redis://HOST:PORT"
    from = Repeated("from", "ADDRESS", explanation, as: .engine)
    since = nil
  }

  /// Those of commands that read entries, beginning with the `usual` ones.
  init(reading usual: String) {
    let place = "the engine's ADDRESS, or the place to begin with; \(usual) if not given"
    from = Repeated("from", "WHERE", place, as: .engineOrPlace)
    since = ReadingOptions.since
  }

  static let notes = """
    The engine is named by --from or by the file forward.toml, in $XDG_CONFIG_HOME/a11yd or in
    /etc/a11yd, which has the passwords, too. It is read by a11y-forward, from the package of that
    name.
    """

  /// The bytes of a machine's name.
  private static let longestName = 64

  static let readingNotes = """
    --from names the engine, too, by its ADDRESS, nats://HOST:PORT or redis://HOST:PORT, and may be
    given twice, once for each.
    """

  var engine: FleetEngine { FleetEngine(address: from.address, settings: config) }

  /// The place with which reading begins: what --from names beside the engine, and --since.
  var beginning: Beginning { Beginning(from: from.place, since: since?.wrappedValue) }

  /// The time with which a look at all machines begins.
  func time() throws(Failure) -> Int64 {
    try beginning.time { _ throws(Failure) in
      throw Failure(.usage, "--from expects a time here, since each machine has seqs of its own.")
    } ?? SystemClock.wallMicroseconds() - Self.hour
  }

  private static let hour: Int64 = 3_600_000_000

  /// The words for `a11y-forward` that ask for what comes from a place on; it may give more.
  static func question(_ beginning: Beginning) -> [String] {
    if let first = beginning.first { return ["--since-seq", String(first.number)] }
    return beginning.time.map { ["--since", String(max(0, $0))] } ?? []
  }

  /// The name of a machine, which is the first word.
  static func machine(_ operands: [String]) throws(Failure) -> String {
    guard let name = operands.first else {
      throw Failure(.usage, "The name of a machine is expected; a11yctl fleet machines lists them.")
    }
    let isName = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    guard isName, 1...longestName ~= name.utf8.count else {
      throw Failure(
        .usage,
        "The name of one machine is expected, of 1 to \(longestName) letters, digits, - and _;"
          + " got \(name)."
      )
    }
    return name
  }
}
