// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// Replies in their order, of which some wait until an entry is on the medium.
struct HeldReplies {
  private var text: [UInt8] = []
  /// Up to which byte the replies may go once the entry is safe.
  private var gates: [(seq: Seq, end: Int)] = []

  var isEmpty: Bool { text.isEmpty }
  var bytes: Int { text.count }

  /// The last entry that somebody waits for.
  var waitsFor: Seq? { gates.last?.seq }

  mutating func append(_ bytes: Span<UInt8>, until seq: Seq?) {
    bytes.withUnsafeBufferPointer { text.append(contentsOf: $0) }
    if let seq {
      gates.append((seq, text.count))
    } else if !gates.isEmpty {
      gates[gates.count - 1].end = text.count
    }
  }

  mutating func release(through synced: Seq, _ send: (Span<UInt8>) -> Void) {
    var end = 0
    var count = 0
    while count < gates.count, gates[count].seq <= synced {
      end = gates[count].end
      count += 1
    }
    guard count > 0 else { return }
    send(text.span.extracting(0..<end))
    text.removeFirst(end)
    gates.removeFirst(count)
    for index in gates.indices { gates[index].end -= end }
  }
}
