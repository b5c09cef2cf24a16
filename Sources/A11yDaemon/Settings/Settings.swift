// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yLog
package import A11yPosix
package import A11yRules
package import A11yToml
package import A11yWire
package import Systemd

/// Everything that an operator may set, with the defaults.
///
/// This is the one place of the defaults: those in `Config/a11yd.toml` are made from it.
package struct Settings: Equatable, Sendable {
  package var server = Server()
  /// The limits of the protocol that are the operator's to move.
  package var limits = Quotas()
  package var log = Log()
  package var reader = Reader()
  package var rules = Rules()

  package init() {}

  /// The daemon's socket, its directory of state, and how much it tells.
  package struct Server: Equatable, Sendable {
    /// Nil: the environment decides, see `Places`.
    package var socket: String?
    /// Nil: the environment decides, see `Places`.
    package var state: String?
    package var logLevel = LogLevel.info
    /// The TCP port with metrics; nil: none.
    package var metrics: LoopbackAddress?
  }

  /// How the log on disk is cut and how long it is kept; nil means without limit.
  package struct Log: Equatable, Sendable {
    package var segmentBytes = ByteCount.mebibytes(16)
    package var retainAge: Duration? = .seconds(7 * 86_400)
    package var retainBytes: ByteCount? = .mebibytes(256)
    package var retainEntries: Int?
    /// What one user may add in a day; nil: an eighth of what is kept, see `quotas`.
    package var bytesPerUser: ByteCount?
  }

  /// The assumptions about a screen reader that does not report the end of its speech.
  package struct Reader: Equatable, Sendable {
    package var perCharacter = Duration.milliseconds(50)
    package var grace = Duration.milliseconds(2000)
    /// The language of the words that no app has written; nil: the environment decides, see
    /// `Places`.
    package var language: WordLanguage?
    package var hints = true
    package var states = true
  }

  /// The directories of rules files.
  package struct Rules: Equatable, Sendable {
    /// As written, see `Places.expand`; the later wins.
    package var dirs = ["\(ConfigHome.ofMachine)/rules.d", "$XDG_CONFIG_HOME/a11yd/rules.d"]
  }
}

extension Settings {
  /// The limits, with the one that follows from how much is kept.
  package var quotas: Quotas {
    var quotas = limits
    let share = log.bytesPerUser?.bytes ?? log.retainBytes.map { $0.bytes / 8 } ?? 0
    quotas.logBytesPerUser = share
    return quotas
  }

  /// The settings that `--config` starts from: only the files that it names are read, so no rules.
  package static var withoutRules: Settings {
    var settings = Settings()
    settings.rules.dirs = []
    return settings
  }
}

extension Settings.Log {
  /// The policy of the log that these settings ask for.
  package var policy: LogPolicy {
    LogPolicy(
      segmentBytes: Int64(segmentBytes.bytes),
      retainAge: retainAge.map { $0.components.seconds * 1_000_000 },
      retainBytes: retainBytes.map { Int64($0.bytes) },
      retainEntries: retainEntries.map(Int64.init)
    )
  }
}

extension Epoch {
  /// One that no other log has.
  static func random() -> Epoch {
    guard let epoch = Epoch(hex: Machine.randomHex128()) else {
      preconditionFailure("128 random bits are 32 hex digits")
    }
    return epoch
  }
}

extension Settings.Reader {
  /// The pace that the presenter assumes, in whole milliseconds; `session` is the language of words
  /// where none is set.
  func pace(session: WordLanguage) -> ReaderPace {
    var pace = ReaderPace(
      perCharacter: .milliseconds(perCharacter.inMilliseconds),
      grace: .milliseconds(grace.inMilliseconds)
    )
    pace.language = language ?? session
    pace.speaksHints = hints
    pace.speaksStates = states
    return pace
  }
}

/// A number of bytes, so that no signature has a bare integer for one.
package struct ByteCount: Hashable, Comparable, Sendable {
  package let bytes: Int

  package init(_ bytes: Int) { self.bytes = bytes }

  package static func kibibytes(_ count: Int) -> ByteCount { ByteCount(count << 10) }

  package static func mebibytes(_ count: Int) -> ByteCount { ByteCount(count << 20) }

  package static func < (one: ByteCount, other: ByteCount) -> Bool { one.bytes < other.bytes }
}

extension ByteCount: CustomStringConvertible {
  /// In the largest unit that leaves no fraction: “16 MiB”, “1500 B”.
  package var description: String {
    let binary = Quantity.byteUnits.filter { $0.name.hasSuffix("iB") }
    let unit = binary.last { bytes != 0 && Int64(bytes).isMultiple(of: $0.size) }
    guard let unit else { return "\(bytes) B" }
    return "\(Int64(bytes) / unit.size) \(unit.name)"
  }
}

extension TomlValue {
  /// A size: an integer of bytes, or a text with a unit.
  package var asBytes: ByteCount? {
    switch self {
    case .integer(let integer) where integer >= 0: Int(exactly: integer).map(ByteCount.init)
    case .string(let text): Quantity.bytes(text).map { ByteCount(Int($0)) }
    case .table, .integer, .number, .boolean, .time, .array: nil
    }
  }
}
