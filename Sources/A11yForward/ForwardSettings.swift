// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yToml

/// The settings of the file `forward.toml`.
package struct ForwardSettings: CompanionSettings, Equatable, Sendable {
  /// The part of the log that may leave the machine.
  package enum Share: String, Sendable {
    case nothing
    case withoutTexts = "without-texts"
    case all
  }

  package var engine: EngineAddress?
  package var machine: MachineName?
  package var share = Share.nothing
  package var filter = ForwardFilter()
  /// Entries in a second at most; 0 for no bound.
  package var rate: Int64 = 0
  /// Seconds between two signs of life; 0 for none.
  package var heartbeat: Int64 = 300
  package private(set) var nats = NatsSettings()
  package private(set) var redis = RedisSettings()

  /// More than any engine takes from one connection.
  package static let rates: ClosedRange<Int64> = 0...10_000_000
  /// A day at most: an engine keeps a sign for a month.
  package static let heartbeats: ClosedRange<Int64> = 0...86_400

  package init() {}

  /// Whether the file has words that nobody else may read.
  package var hasPasswords: Bool { nats.password != nil || redis.password != nil }

  package mutating func removePasswords() { (nats.password, redis.password) = (nil, nil) }

  /// Leaves out a file with a secret that is none any more.
  package mutating func removeSecret(_ file: String) { nats.removeSecret(file) }

  package mutating func apply(_ entry: TomlEntry) -> String? {
    let tables = ["forward", "nats", "redis"]
    if entry.path.isEmpty, tables.contains(entry.key), entry.value == .table { return nil }
    switch entry.path {
    case "forward": return applyCommon(entry)
    case "nats": return nats.apply(entry)
    case "redis": return redis.apply(entry)
    default: return "expected one of the tables [forward], [nats], [redis]"
    }
  }

  private mutating func applyCommon(_ entry: TomlEntry) -> String? {
    switch (entry.key, entry.value) {
    case ("to", .string(let text)):
      do throws(EngineAddress.Mistake) {
        engine = try EngineAddress(text)
        return nil
      } catch {
        return error.words
      }
    case ("machine", .string(let text)):
      machine = MachineName(text)
      return machine == nil ? MachineName.expectation : nil
    case ("send", .string(let text)):
      guard let known = Share(rawValue: text) else { break }
      share = known
      return nil
    case ("max_rate", .integer(let number)) where Self.rates.contains(number):
      rate = number
      return nil
    case ("heartbeat", .integer(let number)) where Self.heartbeats.contains(number):
      heartbeat = number
      return nil
    case ("apps", .array(let items)): return Self.takeNames(items, into: &filter.apps)
    case ("types", .array(let items)):
      var types: [String] = []
      if let complaint = Self.takeNames(items, into: &types) { return complaint }
      if let complaint = ForwardFilter.complaint(about: types) { return complaint }
      filter.types = types
      return nil
    default: break
    }
    switch entry.key {
    case "to": return "expected an address, as in \"nats://engine:4222\"; got \(entry.value)"
    case "machine": return MachineName.expectation
    case "send": return "expected \"all\", \"without-texts\" or \"nothing\"; got \(entry.value)"
    case "max_rate": return "expected entries in a second, 0 for no bound; got \(entry.value)"
    case "heartbeat": return "expected seconds, up to a day, 0 for none; got \(entry.value)"
    case "apps", "types": return Self.names
    default: return "expected one of to, machine, send, apps, types, max_rate, heartbeat"
    }
  }

  private static let names = "expected up to \(ForwardFilter.most) names, as in [\"org.mail\"]"

  private static func takeNames(_ items: [TomlValue.Item], into list: inout [String]) -> String? {
    let texts = items.compactMap { item -> String? in
      guard case .string(let text) = item.value else { return nil }
      return text
    }
    guard texts.count == items.count, texts.count <= ForwardFilter.most else { return names }
    list = texts
    return nil
  }
}

extension MachineName {
  package static let expectation = "expected 1 to 64 letters, digits, hyphens and underscores"
}

/// The table `[nats]`.
package struct NatsSettings: Equatable, Sendable {
  /// The stream that holds the logs of all machines.
  package private(set) var stream = "A11YD"
  /// The copies of a stream that is made.
  package private(set) var replicas: Int64 = 1
  package private(set) var user: String?
  package fileprivate(set) var password: String?
  /// The path of a file with credentials, as `nsc` writes it.
  package private(set) var credentials: String?
  /// The public key whose seed is in the file `seed`.
  package private(set) var nkey: String?
  package private(set) var seed: String?
  package private(set) var tls = false
  package private(set) var authority: String?
  package private(set) var certificate: String?
  package private(set) var key: String?

  private static let copies: ClosedRange<Int64> = 1...5

  /// The stream of signs of life: a stranger who counts the messages of the other finds entries
  /// alone.
  package var aliveStream: String { "\(stream)-ALIVE" }

  /// The files that hold secrets.
  package var secretFiles: [String] { [credentials, seed, key].compactMap { $0 } }

  fileprivate mutating func removeSecret(_ file: String) {
    if credentials == file { credentials = nil }
    if seed == file { seed = nil }
    if key == file { key = nil }
  }

  fileprivate mutating func apply(_ entry: TomlEntry) -> String? {
    switch (entry.key, entry.value) {
    case ("stream", .string(let text)) where MachineName(text) != nil: stream = text
    case ("replicas", .integer(let count)) where Self.copies.contains(count): replicas = count
    case ("user", .string(let text)): user = text
    case ("password", .string(let text)): password = text
    case ("credentials", .string(let text)): credentials = text
    case ("nkey", .string(let text)): nkey = text
    case ("seed", .string(let text)): seed = text
    case ("tls", .boolean(let isWanted)): tls = isWanted
    case ("authority", .string(let text)): authority = text
    case ("certificate", .string(let text)): certificate = text
    case ("key", .string(let text)): key = text
    case ("tls", _): return "expected true or false"
    case ("replicas", _): return "expected a number of copies from 1 to 5"
    case ("stream", _): return MachineName.expectation
    case ("user", _), ("password", _), ("nkey", _): return "expected a text"
    case ("credentials", _), ("seed", _), ("authority", _), ("certificate", _), ("key", _):
      return "expected the path of a file"
    default:
      return """
        expected one of stream, replicas, user, password, credentials, nkey, seed, tls, authority, \
        certificate, key
        """
    }
    return nil
  }
}

/// The table `[redis]`.
package struct RedisSettings: Equatable, Sendable {
  package private(set) var user: String?
  package fileprivate(set) var password: String?
  /// The replicas that each batch waits for.
  package private(set) var replicas: Int64 = 0

  private static let most: ClosedRange<Int64> = 0...16

  fileprivate mutating func apply(_ entry: TomlEntry) -> String? {
    switch (entry.key, entry.value) {
    case ("user", .string(let text)): user = text
    case ("password", .string(let text)): password = text
    case ("replicas", .integer(let count)) where Self.most.contains(count): replicas = count
    case ("user", _), ("password", _): return "expected a text"
    case ("replicas", _): return "expected a number of replicas from 0 to 16"
    default: return "expected one of user, password, replicas"
    }
    return nil
  }
}
