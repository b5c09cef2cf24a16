// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCompanion
import A11yForward
import A11yPosix

/// The options of the command line, which go before the file of settings.
struct ForwardOptions {
  private let engine: EngineAddress?
  private let machine: MachineName?
  private let share: ForwardSettings.Share?
  private let rate: Int64?

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
    rate = options.value("max-rate").flatMap { Int64($0) }
    if let text = options.value("max-rate") {
      guard let rate, ForwardSettings.rates.contains(rate) else {
        throw .init(words: "--max-rate: expected entries in a second; got \(text)")
      }
    }
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
      rate: rate ?? settings.rate,
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
  let rate: Int64
  let nats: NatsSettings
  let redis: RedisSettings
}
