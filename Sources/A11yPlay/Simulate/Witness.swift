// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yBroker
internal import A11yWire

/// Sees what every turn has brought: prints it, and keeps what is asked for later.
struct Witness {
  let past: Past
  var labels = Labels()
  /// The reader that is there from the beginning, if there is one.
  var reader: AutoReader?
  private let decisions = JSONReader(limit: Limits.answerBytes)

  /// An entry that a line has brought into the log on its own.
  struct Published {
    let seq: Seq
    let conn: Int64
    let type: EventType
  }

  init(_ past: Past) { self.past = past }

  /// Prints the turn's entries, with a label those that a line of this name has brought.
  mutating func observe(
    _ turn: borrowing Turn,
    _ published: Published?,
    label: String?,
    into out: inout ByteBuffer
  ) {
    for order in turn.orders { reader?.take(order) }
    let lines = turn.entries.bytes
    if label == nil { out.append(lines) }
    var seq = turn.before
    var start = 0
    while let newline = lines.firstIndex(of: UInt8(ascii: "\n"), from: start) {
      seq = seq.next
      let line = lines.extracting(start..<newline)
      start = newline + 1
      var isNamed = false
      if let published, published.seq == seq {
        past.addEntry(conn: published.conn, .published(published.type))
        isNamed = true
      } else {
        let type = line.ownType
        past.addEntry(conn: 0, type.map { .own($0) } ?? .published(.doNotDisturb))
        if let type { noteDecision(type, seq, line) }
        isNamed = published == nil && type == .client
        if isNamed, let label, !labels.has(label) { labels.name(seq, label) }
      }
      guard let label else { continue }
      if isNamed {
        out.append(line, named: label)
      } else {
        out.append(line)
        out.append("\n")
      }
    }
  }

  /// Takes note of what was decided, as far as somebody asks for it.
  private mutating func noteDecision(_ type: EventType.Own, _ seq: Seq, _ line: Span<UInt8>) {
    switch type {
    case .focus:
      labels.enumerate(.focus, seq)
      return
    case .deliver, .gesture:
      labels.enumerate(type == .deliver ? .deliver : .gesture, seq)
      if labels.isEmpty { return }
    case .silence, .outcome, .seat, .opened, .closed, .rules, .client, .forgot, .forgotten: return
    }
    let decisions = self.decisions
    do throws(JSONFault) {
      try decisions.read(line)
    } catch {
      preconditionFailure("what the broker has written can be read")
    }
    labels.learn(decisions.document)
  }
}
