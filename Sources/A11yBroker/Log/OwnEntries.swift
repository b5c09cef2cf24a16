// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yPresenter
package import A11yWire

/// A start of the bus.
struct Opened: OwnEntry {
  let opening: LogOpening
  let clock: BusClock
  let log: LogHead

  static let type = EventType.Own.opened
  static let form = ObjectForm<Opened>(
    [
      .always("server", .anyText, "The program and its version.") { _ in Protocol.server },
      .always("epoch", .epoch, "The epoch of the numbering from here on.", \.log.epoch),
      .always(
        "clock_offset",
        .anyInteger,
        "The bus clock minus the time since the boot.",
        \.clock.offset
      ),
      .always("recovery", .object(recovery), "How the log was found.") { $0 },
    ],
    meaning: "The bus has started."
  )

  private static let recovery = ObjectForm<Opened>([
    .always("clean", .flag, "The last bus has closed the log.", \.opening.isClean),
    .always(
      "torn_bytes",
      .count,
      "The bytes of a last line that was never ended.",
      \.opening.tornBytes
    ),
    .always("new_epoch", .flag, "A new epoch has begun.", \.opening.isNewEpoch),
    .maybe(
      "same_boot",
      .flag,
      "The machine has not been started anew since the last entry; what the user has asked of all"
        + " speech still holds."
    ) { $0.opening.isSameBoot },
    .always(
      "quarantined",
      .count,
      "The pieces of damage that were put aside.",
      \.opening.quarantined
    ),
    .maybe(
      "known_from",
      .seq,
      "The first entry that the state is made from, if not of all.",
      \.opening.knownFrom
    ),
    .always("damaged", .list(.object(damage)), "The entries that were lost, 64 runs at most.") {
      Array($0.opening.damaged.prefix(LogOpening.listed))
    },
    .always("first", .count, "The first seq of the log.", \.log.first),
    .always("last", .count, "The last seq of the log before this entry.", \.log.last),
  ])

  private static let damage = ObjectForm<ClosedRange<Seq>>([
    .always("from", .seq, "The first entry that is lost.", \.lowerBound),
    .always("to", .seq, "The last entry that is lost.", \.upperBound),
  ])
}

/// A client that has come, gone, or become a reader.
struct ClientNews: OwnEntry {
  enum State: String, CaseIterable {
    case joined, listening, unsubscribed, left
  }

  let state: State
  let session: Session
  /// The program and its version, of a client that has come.
  var client: String?
  /// Why it has gone.
  var reason: String?

  static let type = EventType.Own.client
  static let form = ObjectForm<ClientNews>(
    [
      .always(
        "state",
        .word,
        "joined, left; or, of a reader, listening to deliveries or not any more.",
        \.state
      ),
      .always("app", .anyText, "The name of its app.", \.session.app),
      .always("uid", .count, "Its user.", \.session.uid),
      .always("conn", .seq, "Its connection.", \.session.conn),
      .maybe(
        "client",
        .anyText,
        "The program and its version, as its hello names them.",
        \.client
      ),
      .maybe("role", .words(["reader"]), "It is an assistive technology.") {
        $0.state == .joined && $0.session.isReader ? "reader" : nil
      },
      .maybe("speech", .integer(0...100), "The rank of the reader's voice.") {
        $0.state == .listening ? $0.session.voice.rank : nil
      },
      .maybe("reports", .flag, "The reader reports every end of its speech.") {
        $0.state == .listening && $0.session.voice.isReported ? true : nil
      },
      .maybe("reason", .anyText, "Why the connection has ended.", \.reason),
    ],
    meaning: "A client has come, gone, or become a reader."
  )
}

/// Entries that were forgotten for a user.
struct Forgot: OwnEntry {
  let runs: [ClosedRange<Seq>]
  let uid: UInt32

  static let type = EventType.Own.forgot
  static let form = ObjectForm<Forgot>(
    [
      .always(
        "ranges",
        .list(.list(.seq, 2...2)),
        "The first and last seqs of their runs."
      ) { $0.runs.map { [$0.lowerBound, $0.upperBound] } },
      .always("count", .seq, "How many they are.") {
        $0.runs.reduce(0) { $0 + $1.upperBound.number - $1.lowerBound.number + 1 }
      },
      .always("uid", .count, "The user who has asked for it.", \.uid),
    ],
    meaning: "The content of earlier entries is gone for good; copies of the log can follow."
  )
}

extension Seat: OwnEntry {
  static var type: EventType.Own { .seat }
}

// The entries of a start and a stop, and the counts for `stats`.
extension Broker {
  package mutating func opened(
    _ opening: LogOpening,
    clock: BusClock,
    into turn: inout Turn
  ) {
    appendOwn(Opened(opening: opening, clock: clock, log: log), into: &turn)
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
      out.object { AppTally.form.write(tally, into: &$0) }
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
