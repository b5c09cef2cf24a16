// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPresenter
package import A11yWire

/// Tries rules on a recorded log: the same reader hears it once with the rules on record and once
/// with others over them, so that nothing but the rules makes a difference.
package struct BackTest: ~Copyable {
  /// The ends of the events of one app and one type.
  package struct Tally: Equatable, Sendable {
    package let app: String
    package let type: String
    /// How many were heard by the rules on record.
    package internal(set) var heard = 0
    /// How many of them would not have been.
    package internal(set) var removed = 0
    /// How many would have been that were not.
    package internal(set) var added = 0
    /// How many that end otherwise, and are heard or not as before.
    package internal(set) var other = 0
  }

  /// An event that would have ended otherwise.
  package struct Change: Equatable, Sendable {
    package let line: [UInt8]
    package let difference: Difference

    package var isRemoved: Bool { wasHeard && difference.now?.isHeard != true }
    package var isAdded: Bool { !wasHeard && difference.now?.isHeard == true }
    private var wasHeard: Bool { difference.was?.isHeard == true }
  }

  private var before: WhatIf
  private var after: WhatIf
  /// The lines of events of which it is not known yet what comes of them.
  private var lines: [Seq: [UInt8]] = [:]
  private var endings: [Seq: WhatIf.Ending] = [:]
  /// The ends that the new rules have come to before the old ones have.
  private var waiting: [Seq: WhatIf.Ending] = [:]
  private let since: Int64
  private let reader = JSONReader(limit: Limits.answerBytes)
  private var places: [Key: Int] = [:]
  package private(set) var tallies: [Tally] = []
  package private(set) var changes: [Change] = []
  /// All events that end otherwise, those too that nobody counts.
  package private(set) var differences: [Difference] = []

  private struct Key: Hashable {
    let app: Name
    let type: String
  }

  /// Begins before the first entry of a log, or behind the entry after which the presenter was so.
  ///
  /// Events count that came at `since` by the clock on the wall, or later.
  package init(_ rules: WhatIf.Rules, presenter: Presenter?, after seq: Seq, since: Int64) {
    before = WhatIf(.recorded, presenter: presenter, after: seq)
    after = WhatIf(rules, presenter: presenter, after: seq)
    self.since = since
  }

  /// The rules do not fit over those on record.
  package var hasTooManyRules: Bool { after.hasTooManyRules }

  package mutating func take(_ line: Span<UInt8>) {
    keep(line)
    before.take(line)
    after.take(line)
    compare()
  }

  package mutating func finish() {
    before.finish()
    after.finish()
    compare()
    for (seq, was) in endings { settle(seq, was, nil) }
    endings = [:]
    for (seq, now) in waiting { settle(seq, nil, now) }
    waiting = [:]
    changes.sort { $0.difference.seq < $1.difference.seq }
    differences.sort { $0.seq < $1.seq }
    tallies.sort { ($0.removed, $0.heard) > ($1.removed, $1.heard) }
  }

  private mutating func keep(_ line: Span<UInt8>) {
    guard let peek = EnvelopePeek(line), peek.time >= since else { return }
    let type = line.extracting(peek.type)
    let isPresented =
      peek.isOwn
      ? type.equals(EventType.Own.focus.rawValue.utf8Span.span)
      : EventType(type)?.row.ends == .always
    if isPresented { lines[peek.seq] = line.array }
  }

  /// The endings of both that are known now, in pairs.
  private mutating func compare() {
    for was in before.takeEndings() {
      if let now = waiting.removeValue(forKey: was.of) {
        settle(was.of, was, now)
      } else {
        endings[was.of] = was
      }
    }
    for now in after.takeEndings() {
      if let was = endings.removeValue(forKey: now.of) {
        settle(now.of, was, now)
      } else {
        waiting[now.of] = now
      }
    }
  }

  private mutating func settle(_ seq: Seq, _ was: WhatIf.Ending?, _ now: WhatIf.Ending?) {
    let difference = Difference(seq, was: was, now: now)
    if let difference { differences.append(difference) }
    guard let line = lines.removeValue(forKey: seq), let place = place(of: line) else { return }
    if was?.isHeard == true { tallies[place].heard += 1 }
    guard let difference else { return }
    let change = Change(line: line, difference: difference)
    if change.isRemoved {
      tallies[place].removed += 1
    } else if change.isAdded {
      tallies[place].added += 1
    } else {
      tallies[place].other += 1
    }
    changes.append(change)
  }

  private mutating func place(of line: [UInt8]) -> Int? {
    let reader = self.reader
    do throws(JSONFault) { try reader.read(line.span) } catch { return nil }
    let entry = reader.document
    guard let event = EntryView(of: entry).event, let type = entry.string("type", of: event),
      // An entry of the bus's own says whom it is about.
      let app = entry.name("app", of: event) ?? entry.name("app", of: entry.root)
    else { return nil }
    let key = Key(app: app, type: type)
    if let place = places[key] { return place }
    tallies.append(Tally(app: app.text, type: type))
    places[key] = tallies.count - 1
    return tallies.count - 1
  }
}
