// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCompanion
import A11yForward
import A11yPosix

/// The options of the command line, which go before the file of settings.
struct ForwardOptions {
  let engine: EngineAddress?
  private let machine: MachineName?
  private let share: ForwardSettings.Share?
  private let rate: Int64?
  private let heartbeat: Int64?
  private let apps: [String]?
  private let types: [String]?

  init(_ options: CompanionOptions) throws(CommandLineOptions.Mistake) {
    do throws(EngineAddress.Mistake) {
      engine = try options.value("to").map { text throws(EngineAddress.Mistake) in
        try EngineAddress(text)
      }
    } catch {
      throw .init(words: "--to: \(error.words)")
    }
    machine = options.value("machine").flatMap { MachineName($0) }
    if options.value("machine") != nil, machine == nil {
      throw .init(words: "--machine: \(MachineName.expectation)")
    }
    let isWhole = options.value("all") != nil
    let isWordless = options.value("without-texts") != nil
    if isWhole && isWordless { throw .init(words: "--all and --without-texts exclude each other") }
    share = isWhole ? .all : isWordless ? .withoutTexts : nil
    apps = try Self.names("apps", options)
    types = try Self.names("types", options)
    if let complaint = types.flatMap(ForwardFilter.complaint) {
      throw .init(words: "--types: \(complaint)")
    }
    rate = try Self.boundedNumber(
      "max-rate",
      in: ForwardSettings.rates,
      "entries in a second, 0 for no bound",
      options
    )
    heartbeat = try Self.boundedNumber(
      "heartbeat",
      in: ForwardSettings.heartbeats,
      "seconds, up to a day, 0 for none",
      options
    )
  }

  private static func boundedNumber(
    _ name: String,
    in range: ClosedRange<Int64>,
    _ expectation: String,
    _ options: CompanionOptions
  ) throws(CommandLineOptions.Mistake) -> Int64? {
    guard let text = options.value(name) else { return nil }
    guard let number = Int64(text), range.contains(number) else {
      throw .init(words: "--\(name): expected \(expectation); got \(text)")
    }
    return number
  }

  private static func names(
    _ name: String,
    _ options: CompanionOptions
  ) throws(CommandLineOptions.Mistake) -> [String]? {
    guard let text = options.value(name) else { return nil }
    let names = text.split(separator: ",").map(String.init)
    guard (1...ForwardFilter.most).contains(names.count) else {
      throw .init(words: "--\(name): expected up to \(ForwardFilter.most) names; got \(text)")
    }
    return names
  }

  /// The plan for these options and a file's settings; `ownName` is the name of a machine without
  /// one.
  func plan(
    _ settings: ForwardSettings,
    bus: String,
    user: UInt32?,
    ownName: MachineName
  ) -> ForwardPlan {
    let given = settings.machine ?? ownName
    // A name on the command line is meant as it is; one of a file may serve several users.
    let name = machine ?? user.flatMap { given.ofUser($0) } ?? given
    return ForwardPlan(
      bus: bus,
      engine: engine ?? settings.engine,
      machine: name,
      share: share ?? settings.share,
      filter: ForwardFilter(
        apps: apps ?? settings.filter.apps,
        types: types ?? settings.filter.types
      ),
      rate: rate ?? settings.rate,
      heartbeat: heartbeat ?? settings.heartbeat,
      nats: settings.nats,
      redis: settings.redis
    )
  }
}

/// All that the thread has to know.
struct ForwardPlan: Equatable, Sendable {
  let bus: String
  let engine: EngineAddress?
  let machine: MachineName
  let share: ForwardSettings.Share
  let filter: ForwardFilter
  let rate: Int64
  let heartbeat: Int64
  let nats: NatsSettings
  let redis: RedisSettings

  /// The part of the log that leaves, to go behind “the log”.
  var choice: String { (share == .withoutTexts ? ", without texts" : "") + filter.words }
}
