// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yCompanion
import A11yForward
import A11yToml
import A11yPosix
import Glibc
import Systemd

/// The process of an operator that tends the streams of NATS, until it is ended.
///
/// It keeps nothing, and may be ended at any moment.
final class TendProgram {
  private let options: CompanionOptions
  private let words: ForwardOptions
  private let report = CompanionReport(program: ForwardProgram.name)
  private var backoff = Backoff(first: .milliseconds(200), longest: .seconds(2))

  private static let misconfigured: Int32 = 78

  init(_ options: CompanionOptions, _ words: ForwardOptions) {
    self.options = options
    self.words = words
  }

  /// Runs until it is ended; returns where there is nothing to tend.
  func tendUntilEnd() -> Int32 {
    let file = LoadedCompanionSettings(forwarder: options.configuration)
    for complaint in file.complaints {
      report.say(.warning, "Settings are left out: \(complaint).")
    }
    guard let address = words.engine ?? file.settings.engine, address.kind == .nats else {
      report.say(.error, "--tend is for NATS, and expects --to nats://HOST:PORT or a file with it.")
      return Self.misconfigured
    }
    report.manager.ready()
    while true {
      do throws(ForwardFailure) {
        let tender = try NatsTender(address, file.settings.nats)
        backoff.reset()
        report.status("removing from \(address) what machines have forgotten")
        try tender.tend()
      } catch {
        let reason = error.engineReason ?? ""
        let condition = ForwardCondition.engineAway(address, reason: reason)
        report.status(condition.sentence, .warning, ForwardMessage.engineAway.id, reason: reason)
      }
      poll(nil, 0, Int32(clamping: backoff.nextWait().milliseconds))
    }
  }
}
