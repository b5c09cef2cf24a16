// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yEngine
package import A11yWire

/// Events that end otherwise than they did.
package struct Differences {
  package struct Difference: Equatable, Sendable {
    package let seq: Seq
    package let was: WhatIf.Ending
    /// Nil where it does not end at all.
    package let now: WhatIf.Ending?
  }

  /// What came of events of which the other half is not known yet.
  private var before: [Seq: WhatIf.Ending] = [:]
  private var after: [Seq: WhatIf.Ending] = [:]
  package private(set) var found: [Difference] = []

  package init() {}

  /// How an event has ended; says so where it is known now how it did both times.
  @discardableResult
  package mutating func note(was ending: WhatIf.Ending) -> Bool {
    guard let now = after.removeValue(forKey: ending.of) else {
      before[ending.of] = ending
      return false
    }
    compare(ending, now)
    return true
  }

  /// How it would.
  @discardableResult
  package mutating func note(now ending: WhatIf.Ending) -> Bool {
    guard let was = before.removeValue(forKey: ending.of) else {
      after[ending.of] = ending
      return false
    }
    compare(was, ending)
    return true
  }

  /// All of them, by their seqs, now that nothing comes any more.
  ///
  /// Of what was pending at the end of the record nobody knows how it has ended.
  package mutating func finish() -> [Difference] {
    for (seq, was) in before { found.append(Difference(seq: seq, was: was, now: nil)) }
    before = [:]
    after = [:]
    found.sort { $0.seq < $1.seq }
    return found
  }

  /// Two outcomes are the same that have the same result by the same rule: how long something has
  /// waited is another matter.
  private mutating func compare(_ was: WhatIf.Ending, _ now: WhatIf.Ending) {
    guard was.result != now.result || was.rule != now.rule else { return }
    found.append(Difference(seq: was.of, was: was, now: now))
  }
}

extension Differences.Difference {
  /// Appends the line that tells it to a program.
  package func write(into out: inout ByteBuffer) {
    out.append("{")
    out.append(member: "seq", seq.number)
    out.append(member: "was")
    out.append(was.text.span)
    out.append(member: "now")
    if let now { out.append(now.text.span) } else { out.append("null") }
    out.append("}")
  }
}

extension WhatIf.Ending {
  /// Reads an outcome on record; nil for any other line.
  package init?(recorded line: Span<UInt8>, with reader: JSONReader) {
    guard let glance = Glance(line), glance.isOwn, line.extracting(glance.type).equals("outcome")
    else { return nil }
    do throws(JSONFault) { try reader.read(line) } catch { return nil }
    let entry = reader.document
    guard let event = entry.member("event", of: entry.root), let of = entry.seq("of", of: event),
      let result = entry.string("result", of: event).flatMap(Result.init)
    else { return nil }
    var out = ByteBuffer(capacity: 256)
    out.append("{")
    for name in Self.members {
      guard let value = entry.member(name, of: event) else { continue }
      out.append(member: name)
      entry.copyAll(value, into: &out)
    }
    out.append("}")
    self.init(
      of: of,
      result: result,
      rule: entry.string("rule", of: event) ?? "",
      text: out.bytes.array
    )
  }

  private static let members: [StaticString] = ["result", "by", "rule", "why"]

  /// Whether anybody has heard of the event, or a part of it.
  package var isHeard: Bool {
    switch result {
    case .heard, .interrupted: true
    case .coalesced, .duplicate, .superseded, .inhibited, .summarised, .expired, .denied,
      .undeliverable, .cancelled, .handled, .unhandled:
      false
    }
  }
}
