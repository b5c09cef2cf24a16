// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yRules
import A11yTestKit

/// What has happened to a bus, deed by deed, so that it can happen once more or in part.
struct Play {
  /// One thing that happens.
  ///
  /// Connections are counted in the order of their coming; a deed of one that never came is
  /// nothing.
  enum Deed: CustomStringConvertible {
    case pass(Int64)
    /// A connection comes, and says who it is.
    case connect(app: String?)
    case say(Int, String)
    case publish(Int, String)
    case leave(Int)
    /// These rules are added to those that are built in.
    case load([Rule])

    var description: String {
      switch self {
      case .pass(let time): "\(time) µs pass"
      case .connect(let app): "\(app ?? "somebody") connects"
      case .say(let number, let line), .publish(let number, let line): "\(number): \(line)"
      case .leave(let number): "\(number) leaves"
      case .load(let rules): "rules: \(rules)"
      }
    }
  }

  let bus: HandDriven
  private(set) var deeds: [Deed] = []
  /// Those who have come; nil when they have left.
  private var sessions: [Session?] = []

  init(on bus: HandDriven = HandDriven()) {
    self.bus = bus
    bus.open()
  }

  /// All lines so far, those of the turn at hand too.
  var lines: [String] { bus.log + bus.entries }

  /// The number of a connection that comes.
  mutating func connect(app: String?) -> Int {
    perform(.connect(app: app))
    return sessions.count - 1
  }

  /// The seq, where an event was new.
  @discardableResult
  mutating func perform(_ deed: Deed) -> Int64? {
    deeds.append(deed)
    switch deed {
    case .pass(let time): bus.commit(after: time)
    case .connect(let app): sessions.append(app.map { bus.connect(app: $0) } ?? bus.connect())
    case .say(let number, let line):
      if let session = session(number) { _ = bus.say(session, line) }
    case .publish(let number, let event):
      let before = bus.last
      guard let session = session(number), let seq = try? bus.publish(session, event) else {
        return nil
      }
      return seq > before ? seq : nil
    case .leave(let number):
      if let session = session(number) { bus.leave(session) }
      if number < sessions.count { sessions[number] = nil }
    case .load(let rules): bus.load(RuleSet(RuleSet.defaults.rules + rules))
    }
    return nil
  }

  private func session(_ number: Int) -> Session? {
    number < sessions.count ? sessions[number] : nil
  }
}
