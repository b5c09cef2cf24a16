// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Testing

@Suite struct LineSplitterTests {
  enum Found: Equatable {
    case line([UInt8])
    case tooLong
  }

  @Test(arguments: [
    ("", [], ""),
    ("\n", [""], ""),
    ("a\nb\n", ["a", "b"], ""),
    ("a\nb", ["a"], "b"),
    ("a\r\nb\r\n", ["a", "b"], ""),
    ("a\rb\n", ["a\rb"], ""),
    ("a\r\r\n", ["a\r"], ""),
    ("\r\n\r\n", ["", ""], ""),
    ("a\r", [], "a\r"),
  ])
  func `lines end with a newline, with or without a carriage return before it`(
    text: String,
    lines: [String],
    rest: String
  ) {
    let split = split([Array(text.utf8)], limit: 8)

    #expect(split.found == lines.map { .line(Array($0.utf8)) })
    #expect(split.kept == Array(rest.utf8))
  }

  @Test(arguments: ["\n", "\r\n"])
  func `a line may have as many bytes as the limit, and not one more`(end: String) {
    let exact = [UInt8](repeating: 97, count: 8)

    #expect(split([exact + end.utf8], limit: 8).found == [.line(exact)])
    #expect(split([exact + [97] + end.utf8], limit: 8).found == [.tooLong])
  }

  @Test func `a carriage return behind a line at the limit may still be half of its end`() {
    let exact = [UInt8](repeating: 97, count: 8)

    let waiting = split([exact + [13]], limit: 8)
    let ended = split([exact + [13], [10]], limit: 8)
    let text = split([exact + [13], [97, 10]], limit: 8)

    #expect(waiting.found == [])
    #expect(ended.found == [.line(exact)])
    #expect(text.found == [.tooLong])
  }

  @Test func `a line over the limit is announced once, before its end has come`() {
    var pieces: [[UInt8]] = [[UInt8](repeating: 97, count: 10)]

    #expect(split(pieces, limit: 8).found == [.tooLong])

    pieces += [[UInt8](repeating: 98, count: 100), [99, 99]]

    let passing = split(pieces, limit: 8)
    #expect(passing.found == [.tooLong])
    #expect(passing.kept == [])

    pieces += [Array("d\ne\n".utf8)]

    #expect(split(pieces, limit: 8).found == [.tooLong, .line([101])])
  }

  @Test func `two lines over the limit are two refusals`() {
    let long = [UInt8](repeating: 97, count: 20) + [10]

    #expect(split([long + long + [98, 10]], limit: 8).found == [.tooLong, .tooLong, .line([98])])
  }

  @Test func `however a stream is cut, its lines are the same`() {
    var dice = Dice()
    for _ in 0..<400 {
      let limit = dice.roll(1...12)
      let bytes = (0..<dice.roll(0...120)).map { _ in dice.pick([97, 98, 13, 10, 10] as [UInt8]) }

      let pieces = cut(bytes, &dice)
      let split = split(pieces, limit: limit)
      let expected = lines(of: bytes, limit: limit)

      #expect(split.found == expected.found, "seed \(dice.seed): \(pieces) with limit \(limit)")
      #expect(split.kept == expected.kept, "seed \(dice.seed): \(pieces) with limit \(limit)")
      #expect(split.mostKept <= limit + 1, "a line is never buffered beyond its limit")
    }
  }

  // MARK: Expected lines, and the daemon's way to them

  private func lines(of bytes: [UInt8], limit: Int) -> (found: [Found], kept: [UInt8]) {
    var found: [Found] = []
    var parts = bytes.split(separator: 10, omittingEmptySubsequences: false).map(Array.init)
    let tail = parts.removeLast()
    for part in parts {
      let line = part.last == 13 ? part.dropLast() : part[...]
      found.append(line.count > limit ? .tooLong : .line(Array(line)))
    }
    if tail.count <= limit + 1 { return (found, tail) }
    return (found + [.tooLong], [])
  }

  private func split(
    _ pieces: [[UInt8]],
    limit: Int
  ) -> (found: [Found], kept: [UInt8], mostKept: Int) {
    var splitter = LineSplitter(limit: limit)
    var found: [Found] = []
    var kept: [UInt8] = []
    var mostKept = 0
    for piece in pieces {
      kept += piece
      var at = 0
      reading: while true {
        switch splitter.step(kept.span, from: at) {
        case .line(let range, let next):
          found.append(.line(Array(kept[range])))
          at = next
        case .tooLong(let next):
          found.append(.tooLong)
          at = next
        case .incomplete(let from):
          kept.removeFirst(from)
          break reading
        }
      }
      mostKept = max(mostKept, kept.count)
    }
    return (found, kept, mostKept)
  }

  private func cut(_ bytes: [UInt8], _ dice: inout Dice) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = min(rest.count, dice.roll(1...20))
      pieces.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return pieces
  }
}
