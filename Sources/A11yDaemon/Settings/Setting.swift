// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yRules
import A11yToml
import A11yWire
import Systemd

/// One key of the configuration file: its name, and how its value is read into the settings.
struct Setting {
  let table: String
  let key: String
  /// Takes the value over, or says what was expected instead.
  let take: (TomlValue, inout Settings) -> String?

  /// All there are, in the order of the shipped file.
  static var all: [Setting] {
    [
      Setting("server", "socket", path: \.server.socket),
      Setting("server", "state", path: \.server.state),
      Setting("server", "log_level", oneOf: \.server.logLevel),
      Setting("server", "metrics", loopback: \.server.metrics),
      Setting("limits", "connections", \.limits.connections, 1...65_536),
      Setting("limits", "connections_per_uid", \.limits.connectionsPerUser, 1...65_536),
      Setting(
        "limits",
        "element_bytes_per_app",
        bytes: \.limits.elementBytesPerApp,
        .kibibytes(128) ... .mebibytes(16_384)
      ),
      Setting(
        "limits",
        "element_bytes_per_uid",
        bytes: \.limits.elementBytesPerUser,
        .kibibytes(128) ... .mebibytes(65_536)
      ),
      // A line of the longest kind and its end must fit, or it could never be taken in.
      Setting(
        "limits",
        "in_buffer",
        bytes: \.limits.inBuffer,
        ByteCount(Limits.lineBytes + 1_024) ... .mebibytes(16)
      ),
      Setting(
        "limits",
        "out_buffer",
        bytes: \.limits.outBuffer,
        ByteCount(Limits.lineBytes) ... .mebibytes(64)
      ),
      Setting("limits", "log_bytes_per_uid", orShare: \.log.bytesPerUser),
      Setting("limits", "unlimited_uids", users: \.limits.unlimitedUsers),
      Setting("log", "segment_bytes", \.log.segmentBytes, .kibibytes(4) ... .mebibytes(1024)),
      Setting("log", "retain_days", days: \.log.retainAge, upTo: 36_500),
      Setting("log", "retain_bytes", orNone: \.log.retainBytes),
      Setting("log", "retain_entries", orNone: \.log.retainEntries),
      Setting("reader", "ms_per_char", \.reader.perCharacter, .milliseconds(1) ... .seconds(1)),
      Setting("reader", "grace_ms", \.reader.grace, .zero ... .seconds(60)),
      Setting("reader", "language", oneOf: \.reader.language),
      Setting("reader", "hints", \.reader.hints),
      Setting("reader", "states", \.reader.states),
      Setting("rules", "dirs", paths: \.rules.dirs),
    ]
  }
}

extension Setting {
  /// A path, or an empty text to leave it to the environment.
  private init(_ table: String, _ key: String, path: WritableKeyPath<Settings, String?>) {
    self.init(table: table, key: key) { value, settings in
      guard case .string(let text) = value, text.isEmpty || text.hasPrefix("/") else {
        return "expected an absolute path, or \"\" to leave it to the environment"
      }
      settings[keyPath: path] = text.isEmpty ? nil : text
      return nil
    }
  }

  /// An address of the loopback, or an empty text for none.
  private init(
    _ table: String,
    _ key: String,
    loopback address: WritableKeyPath<Settings, LoopbackAddress?>
  ) {
    self.init(table: table, key: key) { value, settings in
      guard case .string(let text) = value, text.isEmpty || LoopbackAddress(text) != nil else {
        return "expected an address of the loopback with a port, such as \"127.0.0.1:9464\" or"
          + " \"[::1]:9464\", or \"\" for none"
      }
      settings[keyPath: address] = LoopbackAddress(text)
      return nil
    }
  }

  /// Each of them is looked for between two turns.
  private static let mostPaths = 64

  private init(_ table: String, _ key: String, paths: WritableKeyPath<Settings, [String]>) {
    self.init(table: table, key: key) { value, settings in
      let expected = "expected a list of directories, each absolute or below $XDG_CONFIG_HOME"
      guard case .array(let items) = value else { return expected }
      guard items.count <= Self.mostPaths else {
        return "expected at most \(Self.mostPaths) directories, but these are \(items.count)"
      }
      var texts: [String] = []
      for item in items {
        guard case .string(let text) = item.value, Places.canExpand(text) else {
          return "\(expected), but \(item.value) is none"
        }
        texts.append(text)
      }
      settings[keyPath: paths] = texts
      return nil
    }
  }

  private init(_ table: String, _ key: String, oneOf level: WritableKeyPath<Settings, LogLevel>) {
    self.init(table: table, key: key) { value, settings in
      if case .string(let text) = value, let named = LogLevel(name: text) {
        settings[keyPath: level] = named
        return nil
      }
      let names = LogLevel.allCases.map(\.name)
      return "expected one of " + names.joined(separator: ", ")
    }
  }

  private init(
    _ table: String,
    _ key: String,
    oneOf language: WritableKeyPath<Settings, WordLanguage?>
  ) {
    self.init(table: table, key: key) { value, settings in
      guard case .string(let text) = value,
        text.isEmpty || WordLanguage(rawValue: text) != nil
      else {
        let names = WordLanguage.allCases.map(\.rawValue)
        return "expected one of " + names.joined(separator: ", ")
          + ", or \"\" to leave it to the environment"
      }
      settings[keyPath: language] = WordLanguage(rawValue: text)
      return nil
    }
  }

  private init(_ table: String, _ key: String, _ flag: WritableKeyPath<Settings, Bool>) {
    self.init(table: table, key: key) { value, settings in
      guard case .boolean(let read) = value else { return "expected true or false" }
      settings[keyPath: flag] = read
      return nil
    }
  }

  private init(
    _ table: String,
    _ key: String,
    _ count: WritableKeyPath<Settings, Int>,
    _ range: ClosedRange<Int>
  ) {
    self.init(table: table, key: key) { value, settings in
      guard let read = value.asInteger, range.contains(read) else {
        return "expected an integer from \(range.lowerBound) to \(range.upperBound)"
      }
      settings[keyPath: count] = read
      return nil
    }
  }

  private init(_ table: String, _ key: String, orNone count: WritableKeyPath<Settings, Int?>) {
    self.init(table: table, key: key) { value, settings in
      guard let read = value.asInteger, read >= 0 else {
        return "expected a count, or 0 for no limit"
      }
      settings[keyPath: count] = read == 0 ? nil : read
      return nil
    }
  }

  private init(
    _ table: String,
    _ key: String,
    bytes: WritableKeyPath<Settings, Int>,
    _ range: ClosedRange<ByteCount>
  ) {
    self.init(table, key, \.[bytes: bytes], range)
  }

  private init(
    _ table: String,
    _ key: String,
    _ size: WritableKeyPath<Settings, ByteCount>,
    _ range: ClosedRange<ByteCount>
  ) {
    self.init(table: table, key: key) { value, settings in
      guard let read = value.asBytes, range.contains(read) else {
        let bounds = "from \(range.lowerBound) to \(range.upperBound)"
        return "expected a size \(bounds), in bytes or with a unit such as \"128 KiB\""
      }
      settings[keyPath: size] = read
      return nil
    }
  }

  private init(_ table: String, _ key: String, orNone size: WritableKeyPath<Settings, ByteCount?>) {
    self.init(table: table, key: key) { value, settings in
      guard let read = value.asBytes else {
        return "expected a size in bytes or with a unit such as \"256 MiB\", or 0 for no limit"
      }
      settings[keyPath: size] = read.bytes == 0 ? nil : read
      return nil
    }
  }

  /// A size, or an empty text for the share that follows from the room of the log.
  private init(_ table: String, _ key: String, orShare size: WritableKeyPath<Settings, ByteCount?>)
  {
    self.init(table: table, key: key) { value, settings in
      if value == .string("") {
        settings[keyPath: size] = nil
        return nil
      }
      guard let read = value.asBytes else {
        return "expected a size in bytes or with a unit such as \"32 MiB\", 0 for no limit, "
          + "or \"\" for an eighth of retain_bytes"
      }
      settings[keyPath: size] = read
      return nil
    }
  }

  /// A list of users by their numbers.
  private init(_ table: String, _ key: String, users: WritableKeyPath<Settings, Set<UInt32>>) {
    self.init(table: table, key: key) { value, settings in
      guard case .array(let items) = value else { return "expected a list of user numbers" }
      let uids = items.compactMap { $0.value.asInteger.flatMap(UInt32.init(exactly:)) }
      guard uids.count == items.count else { return "expected a list of user numbers" }
      settings[keyPath: users] = Set(uids)
      return nil
    }
  }

  private init(
    _ table: String,
    _ key: String,
    _ duration: WritableKeyPath<Settings, Duration>,
    _ range: ClosedRange<Duration>
  ) {
    self.init(table: table, key: key) { value, settings in
      guard let read = value.asDuration(integersIn: .milliseconds(1)), range.contains(read) else {
        let bounds = "from \(range.lowerBound.inMilliseconds) to \(range.upperBound.inMilliseconds)"
        return "expected \(bounds) milliseconds, or a text with a unit such as \"1.5 s\""
      }
      settings[keyPath: duration] = read
      return nil
    }
  }

  /// A bare integer means days here, as the key says.
  private init(
    _ table: String,
    _ key: String,
    days age: WritableKeyPath<Settings, Duration?>,
    upTo most: Int64
  ) {
    self.init(table: table, key: key) { value, settings in
      let day = Duration.seconds(86_400)
      guard let read = value.asDuration(integersIn: day), read <= day * most else {
        return "expected at most \(most) days, a text with a unit such as \"36 h\", "
          + "or 0 for no limit"
      }
      settings[keyPath: age] = read == .zero ? nil : read
      return nil
    }
  }
}

extension Settings {
  /// A number of bytes among the quotas, as a size.
  fileprivate subscript(bytes path: WritableKeyPath<Settings, Int>) -> ByteCount {
    get { ByteCount(self[keyPath: path]) }
    set { self[keyPath: path] = newValue.bytes }
  }
}

extension Duration {
  var inMilliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
