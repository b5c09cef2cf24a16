// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPresenter
package import A11yWire

// The entries of a start and a stop, and the counts for `stats`.
extension Broker {
  package mutating func opened(
    _ opening: LogOpening,
    clock: BusClock,
    into turn: inout Turn
  ) {
    let log = self.log
    appendOwn(.opened, into: &turn) { event in
      event.append(member: "server", Protocol.server)
      event.append(member: "epoch", log.epoch.hex)
      event.append(member: "clock_offset", clock.offset)
      event.object("recovery") { recovery in
        recovery.append(member: "clean", opening.isClean)
        recovery.append(member: "torn_bytes", opening.tornBytes)
        recovery.append(member: "new_epoch", opening.isNewEpoch)
        recovery.append(member: "same_boot", opening.isSameBoot)
        recovery.append(member: "quarantined", opening.quarantined)
        if let first = opening.knownFrom { recovery.append(member: "known_from", first.number) }
        recovery.array("damaged", of: opening.damaged.prefix(LogOpening.listed)) { out, range in
          out.object { out in
            out.append(member: "from", range.lowerBound.number)
            out.append(member: "to", range.upperBound.number)
          }
        }
        recovery.append(member: "first", log.first.number)
        recovery.append(member: "last", log.last.number)
      }
    }
  }

  package mutating func closed(into turn: inout Turn) {
    appendOwn(.closed, into: &turn) { _ in }
  }

  /// Appends the members of `stats` that the broker counts.
  package borrowing func writeCounters(into out: inout ByteBuffer) {
    out.append(member: "requests", counters.requests)
    out.append(member: "published", counters.allPublished)
    out.append(member: "duplicates", counters.duplicates)
    out.append(member: "entries", entryCount)
    let refused = counters.refused
    out.object("refused") { out in
      for code in RefusalCode.allCases {
        guard let count = refused[code] else { continue }
        out.append(memberText: code.rawValue)
        out.append(decimal: count)
      }
    }
    writeOutcomes(into: &out)
    out.append(member: "presenter")
    out.append("{")
    presenter.writeGauges(into: &out)
    out.append("}")
    out.array("apps", of: apps.tallies.suffix(Self.listed)) { out, tally in
      out.object { out in
        out.append(member: "app", tally.app)
        out.append(member: "uid", Int64(tally.uid))
        out.append(member: "connections", Int64(tally.connections))
        out.append(member: "published", tally.published)
        out.append(member: "refused", tally.refused)
        out.append(member: "heard", tally.heard)
        out.append(member: "unheard", tally.unheard)
      }
    }
  }

  /// Appends the numbers of ended events, by result.
  private borrowing func writeOutcomes(into out: inout ByteBuffer) {
    let counters = self.counters
    out.object("outcomes") { out in
      for result in Result.allCases {
        out.append(memberText: result.rawValue)
        out.append(decimal: counters.ended(result))
      }
    }
  }

  /// The apps listed in `stats`, the last ones: the answer stays within a line's bound.
  private static var listed: Int { 256 }
}

/// The log that the broker appends to, as far as it has to know.
package struct LogHead: Sendable {
  package let epochs: [EpochStart]
  /// The oldest entry that is still there; one past the last where there is none.
  package internal(set) var first: Seq
  package internal(set) var last: Seq

  package init(epochs: [EpochStart], first: Seq, last: Seq) {
    precondition(!epochs.isEmpty, "a log has an epoch from its first line on")
    self.epochs = epochs
    self.first = first
    self.last = last
  }

  package var epoch: Epoch { epochs[epochs.count - 1].epoch }

  package func cursor(after seq: Seq) -> Cursor { Cursor(epoch: epoch, seq: seq) }

  /// The last entry that cursors of an epoch can name, or nil where the epoch is unknown.
  func reach(of epoch: Epoch) -> Seq? {
    guard let index = epochs.lastIndex(where: { $0.epoch == epoch }) else { return nil }
    return index == epochs.count - 1 ? last : epochs[index + 1].first.previous
  }
}
