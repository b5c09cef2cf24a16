// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPlay
import A11yTestKit

/// Says what is wrong with a log in which nothing is pending any more.
struct Judge {
  private(set) var faults: [String] = []
  private var events: [Int64: JSON] = [:]
  private var outcomes: [Int64: JSON] = [:]
  private var gestures: Set<Int64> = []
  private var monos: [Int64: Int64] = [:]

  /// Judges entries, in their order.
  init(_ entries: [JSON]) {
    for entry in entries {
      guard let seq = entry["seq"].integer, let type = entry["event"]["type"].string else {
        continue
      }
      events[seq] = entry["event"]
      monos[seq] = entry["mono"].integer
      if type == "gesture", let action = entry["event"]["action"].integer {
        gestures.insert(action)
      }
      guard type == "outcome", let of = entry["event"]["of"].integer else { continue }
      if outcomes[of] != nil { faults.append("\(of) has ended twice") }
      if events[of] == nil { faults.append("\(of) has ended before it was there") }
      outcomes[of] = entry["event"]
    }
    for (seq, event) in events { judge(seq, event) }
    for entry in entries where entry["event"]["type"].string == "deliver" {
      judge(delivery: entry)
      judge(cutOf: entry)
    }
    faults.sort()
  }

  private mutating func judge(_ seq: Int64, _ event: JSON) {
    let type = event["type"].string ?? ""
    let mustEnd: Bool
    switch type {
    case "announcement", "layout-changed", "screen-changed", "page-scrolled", "voiceover-status",
      "focus":
      mustEnd = true
    case "action": mustEnd = gestures.contains(seq)
    default: mustEnd = false
    }
    guard let outcome = outcomes[seq] else {
      if mustEnd { faults.append("\(seq), \(type), has not ended") }
      return
    }
    if !mustEnd, !["elements", "focus-changed"].contains(type) {
      faults.append("\(seq), \(type), has an outcome")
    }
    guard let result = outcome["result"].string else {
      faults.append("\(seq) has ended without a result")
      return
    }
    if outcome["rule"].string == nil { faults.append("\(seq) names no rule") }
    judge(seq, event, outcome, result)
  }

  private mutating func judge(_ seq: Int64, _ event: JSON, _ outcome: JSON, _ result: String) {
    let by = outcome["by"].integer
    switch result {
    case "coalesced", "superseded":
      guard let by else { return faults.append("\(seq) is \(result) by nothing") }
      if by <= seq { faults.append("\(seq) is \(result) by the older \(by)") }
    case "duplicate":
      guard let by else { return faults.append("\(seq) is a duplicate of nothing") }
      // One that came later may have been heard before one that had to wait.
      if by == seq { faults.append("\(seq) is a duplicate of itself") }
      if event["type"].string == "announcement", let other = events[by],
        event["text"] != other["text"]
      {
        faults.append("\(seq) is a duplicate of \(by), which says something else")
      }
    default: break
    }
    guard event["type"].string == "announcement" else { return }
    // Its sender alone can have given it a key, by which a newer one takes its place.
    let lost =
      ["denied", "inhibited"].contains(result)
      || ["coalesced", "superseded"].contains(result) && !event["key"].isThere
    let isBusy = outcome["rule"].string == "busy"
    if event["priority"].string == "high", lost {
      faults.append("the high \(seq) is \(result)")
    }
    let kind = event["class"].string ?? "message"
    let isAll =
      event["mode"].string.map { $0 == "all" } ?? ["message", "chat", "hint"].contains(kind)
    if isAll, result == "coalesced", !isBusy, let by, events[by]?["text"] != event["text"],
      !isTimer(event)
    {
      faults.append("\(seq) was merged into \(by), which says something else")
    }
  }

  /// An event of an element that changes all the time counts as a timer.
  private func isTimer(_ event: JSON) -> Bool { event["element"].isThere }

  /// A delayed event cuts no announcement of its own priority, unless it is a newer value.
  private mutating func judge(cutOf entry: JSON) {
    let event = entry["event"]
    // A repetition cuts only where the user has asked for it.
    guard !event["again"].isThere, let cut = event["interrupts"].integer, let victim = events[cut],
      victim["priority"] == event["priority"], let of = event["of"][0].integer,
      let other = victim["of"][0].integer, of != other, let subject = events[of],
      subject["type"].string == "announcement", events[other]?["type"].string == "announcement",
      subject["class"].string != "value", subject["mode"].string != "latest-interrupt"
    else { return }
    if entry["mono"].integer != monos[of] {
      faults.append("\(of) was delayed and cuts its equal \(other)")
    }
  }

  /// A summary counts exactly those that it stands for.
  private mutating func judge(delivery entry: JSON) {
    let event = entry["event"]
    guard let count = event["summary"]["count"].integer, let of = event["of"][0].integer,
      let result = outcomes[of]?["result"].string, result == "summarised",
      // One that was cut before its number may have been counted in another since.
      !(outcomes[of]?["by"].isThere ?? false)
    else { return }
    let members = outcomes.filter { $1["result"].string == "summarised" && carrier($0) == of }
    if Int64(members.count) != count {
      faults.append("the summary \(of) says \(count) and stands for \(members.count)")
    }
  }

  /// The event that stands for another in the end.
  private func carrier(_ seq: Int64) -> Int64 {
    var at = seq
    for _ in 0..<outcomes.count {
      guard let by = outcomes[at]?["by"].integer, outcomes[at]?["result"].string == "summarised"
      else { break }
      at = by
    }
    return at
  }
}
