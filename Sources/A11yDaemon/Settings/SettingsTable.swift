// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yRules
import A11yToml
import A11yWire
import Systemd

extension Settings {
  /// All there are, in the order of the shipped file.
  static var all: [Setting<Settings>] {
    [
      Setting("server", "socket", \.server.socket, .path),
      Setting("server", "state", \.server.state, .path),
      Setting("server", "log_level", \.server.logLevel, .level),
      Setting("server", "metrics", \.server.metrics, .loopback),
      Setting("limits", "connections", \.limits.connections, .count(1...65_536)),
      Setting("limits", "connections_per_uid", \.limits.connectionsPerUser, .count(1...65_536)),
      Setting(
        "limits",
        "element_bytes_per_app",
        \.limits.elementBytesPerApp,
        .bytes(.kibibytes(128) ... .mebibytes(16_384))
      ),
      Setting(
        "limits",
        "element_bytes_per_uid",
        \.limits.elementBytesPerUser,
        .bytes(.kibibytes(128) ... .mebibytes(65_536))
      ),
      // A line of the longest kind and its end must fit, or it could never be taken in.
      Setting(
        "limits",
        "in_buffer",
        \.limits.inBuffer,
        .bytes(ByteCount(Limits.lineBytes + 1_024) ... .mebibytes(16))
      ),
      Setting(
        "limits",
        "out_buffer",
        \.limits.outBuffer,
        .bytes(ByteCount(Limits.lineBytes) ... .mebibytes(64))
      ),
      Setting("limits", "log_bytes_per_uid", \.log.bytesPerUser, .sizeOrShare),
      Setting("limits", "unlimited_uids", \.limits.unlimitedUsers, .users),
      Setting(
        "log",
        "segment_bytes",
        \.log.segmentBytes,
        .size(.kibibytes(4) ... .mebibytes(1024))
      ),
      Setting("log", "retain_days", \.log.retainAge, .days(upTo: 36_500)),
      Setting("log", "retain_bytes", \.log.retainBytes, .sizeOrNone),
      Setting("log", "retain_entries", \.log.retainEntries, .countOrNone),
      Setting(
        "reader",
        "ms_per_char",
        \.reader.perCharacter,
        .milliseconds(.milliseconds(1) ... .seconds(1))
      ),
      Setting("reader", "grace_ms", \.reader.grace, .milliseconds(.zero ... .seconds(60))),
      Setting("reader", "language", \.reader.language, .language),
      Setting("reader", "hints", \.reader.hints, .flag),
      Setting("reader", "states", \.reader.states, .flag),
      Setting("rules", "dirs", \.rules.dirs, .directories),
    ]
  }
}

extension SettingForm<String?> {
  static var path: Self {
    SettingForm<String>.text(
      "expected an absolute path, or \"\" to leave it to the environment"
    ) { $0.hasPrefix("/") }.orEmpty
  }
}

extension SettingForm<LoopbackAddress?> {
  static var loopback: Self {
    SettingForm<LoopbackAddress>(
      "expected an address of the loopback with a port, such as \"127.0.0.1:9464\" or"
        + " \"[::1]:9464\", or \"\" for none",
      { $0.asText.flatMap { LoopbackAddress($0) } },
      write: { TomlEdit.quoted("\($0)") }
    ).orEmpty
  }
}

extension SettingForm<[String]> {
  /// Each of them is looked for between two turns.
  private static var mostPaths: Int { 64 }

  static var directories: Self {
    let expected = "expected a list of directories, each absolute or below $XDG_CONFIG_HOME"
    return .texts(
      expected,
      upTo: mostPaths,
      tooMany: { "expected at most \(mostPaths) directories, but these are \($0)" },
      item: { SettingMisfit("\(expected), but \($0) is none") },
      where: Places.canExpand
    )
  }
}

extension SettingForm<LogLevel> {
  static var level: Self {
    let names = LogLevel.allCases.map(\.name).joined(separator: ", ")
    return Self(
      "expected one of \(names)",
      { $0.asText.flatMap(LogLevel.init(name:)) },
      write: { TomlEdit.quoted($0.name) }
    )
  }
}

extension SettingForm<WordLanguage?> {
  static var language: Self {
    let names = WordLanguage.allCases.map(\.rawValue).joined(separator: ", ")
    return SettingForm<WordLanguage>.word(
      "expected one of \(names), or \"\" to leave it to the environment"
    ).orEmpty
  }
}

extension SettingForm<Int> {
  /// A size among the quotas, which count bytes.
  static func bytes(_ range: ClosedRange<ByteCount>) -> Self {
    let size = SettingForm<ByteCount>.size(range)
    return Self({ value throws(SettingMisfit) in try size.read(value).bytes }) {
      size.write(ByteCount($0))
    }
  }
}

extension SettingForm<Int?> {
  static var countOrNone: Self {
    SettingForm<Int>.count(0...Int.max, "expected a count, or 0 for no limit").or(0)
  }
}

extension SettingForm<ByteCount> {
  static func size(_ range: ClosedRange<ByteCount>) -> Self {
    size(
      "expected a size from \(range.lowerBound) to \(range.upperBound), in bytes or with a unit"
        + " such as \"128 KiB\""
    ) { range.contains($0) }
  }

  fileprivate static func size(
    _ expected: String,
    where isFit: @escaping (ByteCount) -> Bool = { _ in true }
  ) -> Self {
    Self(expected, { $0.asBytes.flatMap { isFit($0) ? $0 : nil } }) { size in
      size.bytes == 0 ? "0" : TomlEdit.quoted("\(size)")
    }
  }
}

extension SettingForm<ByteCount?> {
  static var sizeOrNone: Self {
    SettingForm<ByteCount>.size(
      "expected a size in bytes or with a unit such as \"256 MiB\", or 0 for no limit"
    ).or(ByteCount(0))
  }

  /// A size, or an empty text for the share that follows from the room of the log.
  static var sizeOrShare: Self {
    SettingForm<ByteCount>.size(
      "expected a size in bytes or with a unit such as \"32 MiB\", 0 for no limit, or \"\" for an"
        + " eighth of retain_bytes"
    ).orEmpty
  }
}

extension SettingForm<Set<UInt32>> {
  /// A list of users by their numbers.
  static var users: Self {
    Self(
      "expected a list of user numbers",
      { value in
        guard case .array(let items) = value else { return nil }
        let uids = items.compactMap { $0.value.asInteger.flatMap(UInt32.init(exactly:)) }
        return uids.count == items.count ? Set(uids) : nil
      },
      write: { "[\($0.sorted().map(String.init).joined(separator: ", "))]" }
    )
  }
}

extension SettingForm<Duration> {
  static func milliseconds(_ range: ClosedRange<Duration>) -> Self {
    let bounds = "\(range.lowerBound.inMilliseconds) to \(range.upperBound.inMilliseconds)"
    return .time(
      "expected from \(bounds) milliseconds, or a text with a unit such as \"1.5 s\"",
      in: range,
      unit: .milliseconds(1),
      write: { "\($0.inMilliseconds)" }
    )
  }
}

extension SettingForm<Duration?> {
  /// A bare integer means days here, as the key says.
  static func days(upTo most: Int64) -> Self {
    let day = Duration.seconds(86_400)
    return SettingForm<Duration>.time(
      "expected at most \(most) days, a text with a unit such as \"36 h\", or 0 for no limit",
      in: .zero...day * most,
      unit: day,
      write: { "\($0.components.seconds / day.components.seconds)" }
    ).or(.zero)
  }
}

extension Duration {
  var inMilliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}

/// One text on its way into the settings.
struct SettingsReading {
  private(set) var settings: Settings
  private let known = Settings.all
  private let tables: [String]

  init(settings: Settings) {
    self.settings = settings
    tables = known.map(\.table).reduce(into: []) { names, name in
      if names.last != name { names.append(name) }
    }
  }

  /// Takes one entry over, or says what is wrong with it.
  mutating func take(_ entry: TomlEntry) -> String? {
    if entry.path.isEmpty { return head(entry) }
    // A table that is not ours was refused at its head; its keys are passed over.
    guard tables.contains(entry.path) else { return nil }
    guard let setting = known.first(where: { $0.table == entry.path && $0.key == entry.key }) else {
      return stranger(entry)
    }
    return setting.take(entry.value, &settings).map { "\(entry.fullName): \($0)" }
  }

  /// Answers an entry outside of all tables: it should be the head of one of ours.
  private func head(_ entry: TomlEntry) -> String? {
    let name = String(entry.key.prefix { $0 != "[" })
    let isTable = entry.value == .table
    if isTable, name == "rule" {
      return "rules have files of their own, in a directory that dirs of table rules names"
    }
    if tables.contains(name) {
      if isTable, name == entry.key { return nil }
      return "expected one table [\(name)]; got \(isTable ? "[[\(name)]]" : "\(entry.value)")"
    }
    guard isTable else { return stranger(entry) }
    return "expected one of the tables \(tables.joined(separator: ", ")); got \(name)"
      + NearestName.question(name, among: tables)
  }

  /// Answers a key that we do not know where it stands.
  private func stranger(_ entry: TomlEntry) -> String {
    if entry.path == "limits",
      let limit = Limits.Told.all.first(where: { $0.isFixed && "\($0.name)" == entry.key })
    {
      let value = limit.value(settings.quotas)
      return "\(entry.key) is fixed at \(value) by the protocol and cannot be set; "
        + "those that can are \(keys(of: "limits"))"
    }
    if let home = known.first(where: { $0.key == entry.key }) {
      return "\(entry.key) belongs into the table [\(home.table)]"
    }
    guard !entry.path.isEmpty else {
      return "expected a table such as [log]; got the key \(entry.key)"
        + NearestName.question(entry.key, among: known.map(\.key))
    }
    let here = known.filter { $0.table == entry.path }.map(\.key)
    return "expected one of \(keys(of: entry.path)) in [\(entry.path)]; got \(entry.key)"
      + NearestName.question(entry.key, among: here + known.map(\.key))
  }

  private func keys(of table: String) -> String {
    known.filter { $0.table == table }.map(\.key).joined(separator: ", ")
  }
}
