// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPresenter
package import A11yWire

// What the daemon writes on its own account at its beginning and its end.
extension Broker {
  package mutating func opened(
    _ opening: LogOpening,
    clock: BusClock,
    into turn: inout Turn
  ) {
    let log = self.log
    append(.opened, into: &turn) { event in
      event.append(member: "server", Protocol.server)
      event.append(member: "epoch", log.epoch.hex)
      event.append(member: "clock_offset", clock.offset)
      event.append(member: "recovery")
      event.append("{")
      event.append(member: "clean", opening.isClean)
      event.append(member: "torn_bytes", opening.tornBytes)
      event.append(member: "new_epoch", opening.isNewEpoch)
      event.append(member: "quarantined", opening.quarantined)
      if let first = opening.knownFrom { event.append(member: "known_from", first.number) }
      event.append(member: "damaged")
      event.append("[")
      for (index, range) in opening.damaged.prefix(LogOpening.listed).enumerated() {
        if index > 0 { event.append(",") }
        event.append("{")
        event.append(member: "from", range.lowerBound.number)
        event.append(member: "to", range.upperBound.number)
        event.append("}")
      }
      event.append("]")
      event.append(member: "first", log.first.number)
      event.append(member: "last", log.last.number)
      event.append("}")
    }
  }

  package mutating func closed(into turn: inout Turn) {
    append(.closed, into: &turn) { _ in }
  }

  /// Appends the members of `stats` that the broker counts.
  package borrowing func writeCounters(into out: inout ByteBuffer) {
    out.append(member: "requests", counters.requests)
    out.append(member: "published", counters.published)
    out.append(member: "duplicates", counters.duplicates)
    out.append(member: "entries", entryCount)
    out.append(member: "refused")
    out.append("{")
    for code in RefusalCode.allCases {
      guard let count = counters.refused[code] else { continue }
      out.append(memberText: code.rawValue)
      out.append(decimal: count)
    }
    out.append("}")
    writeOutcomes(into: &out)
    out.append(member: "presenter")
    out.append("{")
    presenter.writeGauges(into: &out)
    out.append("}")
    out.append(member: "apps")
    out.append("[")
    for (index, tally) in apps.tallies.suffix(Self.listed).enumerated() {
      if index > 0 { out.append(",") }
      out.append("{")
      out.append(member: "app", tally.app)
      out.append(member: "uid", Int64(tally.uid))
      out.append(member: "connections", Int64(tally.connections))
      out.append(member: "published", tally.published)
      out.append(member: "refused", tally.refused)
      out.append(member: "heard", tally.heard)
      out.append(member: "unheard", tally.unheard)
      out.append("}")
    }
    out.append("]")
  }

  /// How events have ended since the start.
  private borrowing func writeOutcomes(into out: inout ByteBuffer) {
    out.append(member: "outcomes")
    out.append("{")
    for result in Result.allCases {
      out.append(memberText: result.rawValue)
      out.append(decimal: counters.ended(result))
    }
    out.append("}")
  }

  /// Apps listed in `stats`, those that came last: the answer stays within a line's bound.
  private static var listed: Int { 256 }
}
