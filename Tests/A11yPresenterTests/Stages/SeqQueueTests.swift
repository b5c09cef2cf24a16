// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Testing

@testable import A11yPresenter

@Suite struct SeqQueueTests {
  @Test(arguments: [1, 2, 3])
  func `a queue of seqs is as a list of them`(seed: UInt64) {
    var dice = Dice(seed: seed)
    var queue = SeqQueue()
    var list: [Seq] = []
    for number in 1...500 {
      switch dice.roll(0...9) {
      case 0...4:
        queue.enqueue(Seq(Int64(number)))
        list.append(Seq(Int64(number)))
      case 5...7 where !list.isEmpty:
        queue.removeFirst()
        list.removeFirst()
      case 8 where !list.isEmpty:
        let gone = dice.pick(list)
        queue.remove(gone)
        list.removeAll { $0 == gone }
      default:
        guard let old = list.last else { continue }
        queue.replace(old, by: Seq(Int64(number)))
        list[list.count - 1] = Seq(Int64(number))
      }

      #expect(Array(queue.seqs) == list, "seed \(seed)")
      #expect(queue.first == list.first && queue.count == list.count, "seed \(seed)")
      #expect(queue.isEmpty == list.isEmpty, "seed \(seed)")
    }
  }
}
