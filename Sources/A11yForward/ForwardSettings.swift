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
  package fileprivate(set) var nats = NatsSettings()
  package fileprivate(set) var redis = RedisSettings()

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

  package static var all: [Setting<Self>] {
    let own: [Setting<Self>] = [
      Setting("forward", "to", \.engine, SettingForm.engine.orNone),
      Setting("forward", "machine", \.machine, SettingForm.machine.orNone),
      Setting(
        "forward",
        "send",
        \.share,
        .word("expected \"all\", \"without-texts\" or \"nothing\"")
      ),
      Setting("forward", "apps", \.filter.apps, .names),
      Setting("forward", "types", \.filter.types, .types),
      Setting(
        "forward",
        "max_rate",
        \.rate,
        .count(rates, "expected entries in a second, 0 for no bound")
      ),
      Setting(
        "forward",
        "heartbeat",
        \.heartbeat,
        .count(heartbeats, "expected seconds, up to a day, 0 for none")
      ),
    ]
    return own + NatsSettings.all + RedisSettings.all
  }
}

extension SettingForm<EngineAddress> {
  fileprivate static var engine: Self {
    Self(
      { value throws(SettingMisfit) in
        guard let text = value.asText else {
          throw SettingMisfit("expected an address, as in \"nats://engine:4222\"")
        }
        do throws(EngineAddress.Mistake) {
          return try EngineAddress(text)
        } catch {
          throw SettingMisfit(saying: error.words)
        }
      },
      write: { _ in nil }
    )
  }
}

extension SettingForm<MachineName> {
  fileprivate static var machine: Self {
    Self(
      MachineName.expectation,
      { $0.asText.flatMap { MachineName($0) } },
      write: { TomlEdit.quoted($0.text) }
    ).discreet
  }
}

extension SettingForm<[String]> {
  fileprivate static var names: Self {
    let expected = "expected up to \(ForwardFilter.most) names, as in [\"org.mail\"]"
    return .texts(
      expected,
      upTo: ForwardFilter.most,
      tooMany: { _ in expected },
      item: { _ in SettingMisfit(expected) },
      where: { _ in true }
    ).discreet
  }

  fileprivate static var types: Self {
    let names = names
    return Self(
      { value throws(SettingMisfit) in
        let types = try names.read(value)
        if let words = ForwardFilter.complaint(about: types) { throw SettingMisfit(saying: words) }
        return types
      },
      write: names.write
    )
  }
}

extension SettingForm<String?> {
  fileprivate static var text: Self {
    SettingForm<String>.text("expected a text").discreet.orNone
  }

  fileprivate static var file: Self {
    SettingForm<String>.text("expected the path of a file").discreet.orNone
  }
}

extension MachineName {
  package static let expectation = "expected 1 to 64 letters, digits, hyphens and underscores"
}

/// The table `[nats]`.
package struct NatsSettings: Equatable, Sendable {
  /// The stream that holds the logs of all machines.
  package fileprivate(set) var stream = "A11YD"
  /// The copies of a stream that is made.
  package fileprivate(set) var replicas: Int64 = 1
  package fileprivate(set) var user: String?
  package fileprivate(set) var password: String?
  /// The path of a file with credentials, as `nsc` writes it.
  package fileprivate(set) var credentials: String?
  /// The public key whose seed is in the file `seed`.
  package fileprivate(set) var nkey: String?
  package fileprivate(set) var seed: String?
  package fileprivate(set) var tls = false
  package fileprivate(set) var authority: String?
  package fileprivate(set) var certificate: String?
  package fileprivate(set) var key: String?

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

  fileprivate static var all: [Setting<ForwardSettings>] {
    let stream = SettingForm<String>.text(MachineName.expectation) { MachineName($0) != nil }
    let replicas = SettingForm.count(copies, "expected a number of copies from 1 to 5")
    return [
      Setting("nats", "stream", \.nats.stream, stream.discreet),
      Setting("nats", "replicas", \.nats.replicas, replicas.discreet),
      Setting("nats", "user", \.nats.user, .text),
      Setting("nats", "password", \.nats.password, .text),
      Setting("nats", "credentials", \.nats.credentials, .file),
      Setting("nats", "nkey", \.nats.nkey, .text),
      Setting("nats", "seed", \.nats.seed, .file),
      Setting("nats", "tls", \.nats.tls, SettingForm.flag.discreet),
      Setting("nats", "authority", \.nats.authority, .file),
      Setting("nats", "certificate", \.nats.certificate, .file),
      Setting("nats", "key", \.nats.key, .file),
    ]
  }
}

/// The table `[redis]`.
package struct RedisSettings: Equatable, Sendable {
  package fileprivate(set) var user: String?
  package fileprivate(set) var password: String?
  /// The replicas that each batch waits for.
  package fileprivate(set) var replicas: Int64 = 0

  private static let most: ClosedRange<Int64> = 0...16

  fileprivate static var all: [Setting<ForwardSettings>] {
    let replicas = SettingForm.count(most, "expected a number of replicas from 0 to 16")
    return [
      Setting("redis", "user", \.redis.user, .text),
      Setting("redis", "password", \.redis.password, .text),
      Setting("redis", "replicas", \.redis.replicas, replicas.discreet),
    ]
  }
}
