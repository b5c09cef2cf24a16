// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// Replies in their order, of which some wait until an entry is on the medium.
struct HeldReplies {
  /// A reply that waits, and the bytes behind it up to the next one.
  private struct Gate {
    let seq: Seq
    /// The end of the reply, and the end of the bytes behind it.
    let reply: Int
    var end: Int
    /// The id of the request that the reply answers, should it have to be refused.
    let id: Range<Int>
  }

  private var text: [UInt8] = []
  private var ids: [UInt8] = []
  private var gates: [Gate] = []

  var isEmpty: Bool { text.isEmpty }
  var bytes: Int { text.count }

  /// Keeps a reply back until `seq` is safe.
  mutating func append(_ reply: Span<UInt8>, until seq: Seq, id: Span<UInt8>) {
    let start = ids.count
    reply.withUnsafeBufferPointer { text.append(contentsOf: $0) }
    id.withUnsafeBufferPointer { ids.append(contentsOf: $0) }
    gates.append(
      Gate(seq: seq, reply: text.count, end: text.count, id: start..<ids.count)
    )
  }

  /// Keeps back bytes that follow a reply that waits.
  mutating func append(_ bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer { text.append(contentsOf: $0) }
    if !gates.isEmpty { gates[gates.count - 1].end = text.count }
  }

  mutating func release(through synced: Seq, _ send: (Span<UInt8>) -> Void) {
    let count = gates.firstIndex { $0.seq > synced } ?? gates.count
    guard count > 0 else { return }
    let end = gates[count - 1].end
    let named = gates[count - 1].id.upperBound
    send(text.span.extracting(0..<end))
    text.removeFirst(end)
    ids.removeFirst(named)
    gates = gates.dropFirst(count).map { gate in
      Gate(
        seq: gate.seq,
        reply: gate.reply - end,
        end: gate.end - end,
        id: gate.id.lowerBound - named..<gate.id.upperBound - named
      )
    }
  }

  /// Refuses all replies that wait, each with its own words, and releases the bytes behind them.
  mutating func refuse(
    _ refusal: (Seq) -> Refusal,
    _ send: (Span<UInt8>) -> Void
  ) {
    var out = ByteBuffer(capacity: text.count)
    for gate in gates {
      out.appendRefusalReply(refusal(gate.seq), id: ids.span.extracting(gate.id))
      out.append(text.span.extracting(gate.reply..<gate.end))
    }
    self = HeldReplies()
    send(out.bytes)
  }
}

extension ByteBuffer {
  /// Appends the line that refuses the request with this id; an empty one was not given.
  mutating func appendRefusalReply(_ refusal: Refusal, id: Span<UInt8>) {
    append("{\"id\":")
    if id.count == 0 {
      append("null")
    } else {
      append(id)
    }
    append(",\"err\":")
    appendRefusal(refusal)
    append("}\n")
  }
}
