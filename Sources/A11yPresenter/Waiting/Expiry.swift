// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

extension Presenter {
  /// An event has become too old to be begun.
  mutating func expire(_ seq: Seq) {
    guard let waiter = waiting[seq] else { return }
    // A summary lives as long as the youngest event that it counts.
    if let deadline = waiter.deadline, deadline > now {
      waiting.alarms.set(.expiry(seq), at: deadline, by: seq)
      return
    }
    if waiter.standing == .limited, !waiter.hasLeadingEdge {
      pipeline.rate.hurry(seq, &waiting, now)
      dispatchDepartures()
      return
    }
    if waiter.again != nil {
      giveUp(seq)
      return
    }
    let obstacle = obstacle(to: waiter)
    guard let item = waiting.withdraw(seq) else { return }
    var why = item.waited(until: now)
    why.heldBy = obstacle
    why.ttl = (item.deadline ?? now) - item.mono
    why.isFromEvent = item.ownTTL != nil
    noteExpired(item)
    let rule = item.ownTTL == nil ? item.treatment.ttl.rule : OwnRule.ownTTL.name
    end(item, Ending(.expired, by: nil, rule: rule, why))
  }
}
