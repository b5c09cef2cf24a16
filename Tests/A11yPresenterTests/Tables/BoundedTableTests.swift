// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

@testable import A11yPresenter

/// A table that is full lets go of the row that was not used for longest; of one that has nothing
/// left to say first.
@Suite struct BoundedTableTests {
  @Test func `there is room up to the bound, and then the one that was not used for longest goes`()
  {
    var table = BoundedTable<String, Int>(bound: 3)
    let a = table.insert("a", 1)
    let b = table.insert("b", 2)
    #expect(table.leaving { _ in false } == nil)
    _ = table.insert("c", 3)

    #expect(table.leaving { _ in false } == a)
    table.touch(a)
    #expect(table.leaving { _ in false } == b)
  }

  /// A key of which many have one mark.
  private struct Crowded: Marked {
    let number: Int

    var mark: Int { number % 3 }
  }

  @Test func `keys are told apart though their marks are the same`() {
    var table = BoundedTable<Crowded, Int>(bound: 400)
    for number in 0..<300 { _ = table.insert(Crowded(number: number), number) }
    for number in stride(from: 0, to: 300, by: 2) {
      if let place = table.place(of: Crowded(number: number)) { table.remove(at: place) }
    }
    for number in 300..<400 { _ = table.insert(Crowded(number: number), number) }

    #expect(table.count == 250)
    for number in 0..<400 {
      let isThere = number >= 300 || number % 2 == 1
      #expect(table[Crowded(number: number)] == (isThere ? number : nil))
    }
  }

  @Test func `a row that is spent goes before an older one that is not`() {
    var table = BoundedTable<String, Int>(bound: 4)
    for (number, key) in ["a", "b", "c", "d"].enumerated() { _ = table.insert(key, number) }

    #expect(table.leaving { $0 == 2 } == table.place(of: "c"))
    #expect(table.leaving { $0 >= 1 } == table.place(of: "b"))
    #expect(table.leaving { $0 > 9 } == table.place(of: "a"))
  }

  @Test func `a flood of new names does not make a busy source forgotten`() {
    var table = BoundedTable<String, Bool>(bound: 64)
    // Busy, and then silent for a long time.
    _ = table.insert("busy", true)
    for name in 0..<10_000 {
      if let gone = table.leaving(isSpent: { !$0 }) { table.remove(at: gone) }
      _ = table.insert("new \(name)", false)
    }

    #expect(table.count == 64)
    #expect(table["busy"] == true)
  }

  @Test func `a place that became free is used again, and says nothing of its last row`() {
    var table = BoundedTable<String, Int>(bound: 2)
    let a = table.insert("a", 1)
    table.remove(at: a)
    #expect(table["a"] == nil)
    #expect(table.place(of: "a") == nil)
    let b = table.insert("b", 2)

    #expect(b == a)
    #expect(table[b] == 2)
    #expect(table.key(at: b) == "b")
    #expect(table.inOrder == [b])
  }

  @Test func `whatever comes, it holds what a plain list would hold, in the order of use`() {
    var dice = Dice()
    for _ in 0..<40 {
      let bound = dice.roll(1...12)
      var table = BoundedTable<String, Int>(bound: bound)
      var list: [(key: String, value: Int)] = []
      for value in 0..<400 {
        let key = "\(dice.roll(0...20))"
        let known = list.firstIndex { $0.key == key }
        #expect((table.place(of: key) != nil) == (known != nil), "seed \(dice.seed)")
        switch dice.roll(1...5) {
        case 1:
          guard let place = table.place(of: key), let known else { continue }
          table.remove(at: place)
          list.remove(at: known)
        case 2:
          guard let place = table.place(of: key), let known else { continue }
          table.touch(place)
          list.append(list.remove(at: known))
        case 3:
          guard let place = table.place(of: key), let known else { continue }
          table[place] = value
          list[known].value = value
        default:
          guard known == nil else { continue }
          // Even values are spent.
          if let gone = table.leaving(isSpent: { $0 % 2 == 0 }) {
            let spent = list.firstIndex { $0.value % 2 == 0 } ?? 0
            #expect(table.key(at: gone) == list[spent].key, "seed \(dice.seed)")
            table.remove(at: gone)
            list.remove(at: spent)
          } else {
            #expect(list.count < bound, "seed \(dice.seed)")
          }
          _ = table.insert(key, value)
          list.append((key, value))
        }
        #expect(table.count == list.count, "seed \(dice.seed)")
        #expect(table.inOrder.map { table.key(at: $0) } == list.map(\.key), "seed \(dice.seed)")
        #expect(table.inOrder.map { table[$0] } == list.map(\.value), "seed \(dice.seed)")
      }
    }
  }
}

extension String: Marked {
  var mark: Int { hashValue }
}
