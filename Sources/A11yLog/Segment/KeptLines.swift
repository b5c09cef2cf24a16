// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// Lines in memory, until the medium has them.
///
/// One buffer would be copied again and again while it grows, into memory that the kernel has to
/// clear each time. Pieces of one size are never moved, and are used again when the medium has
/// their lines.
struct KeptLines: ~Copyable {
  /// All but the last one are full.
  private var pieces: [Piece] = []
  /// The bytes of the first piece that are needed no more.
  private var gone = 0
  private(set) var count = 0
  private let spare: SparePieces

  init(from spare: SparePieces) { self.spare = spare }

  final class Piece {
    static let size = 65_536
    fileprivate(set) var bytes = ByteBuffer(capacity: size)
  }

  var isEmpty: Bool { count == 0 }

  mutating func append(_ bytes: Span<UInt8>) {
    var done = 0
    while done < bytes.count {
      let used = (gone + count) % Piece.size
      if used == 0 { pieces.append(spare.popPiece()) }
      let end = min(bytes.count, done + Piece.size - used)
      pieces[pieces.count - 1].bytes.append(bytes.extracting(done..<end))
      count += end - done
      done = end
    }
  }

  mutating func append(byte: UInt8) { append(([byte] as InlineArray<1, UInt8>).span) }

  /// Forgets the first `length` bytes.
  mutating func removeFirst(_ length: Int) {
    precondition(length <= count, "no more is removed than there is")
    count -= length
    gone += length
    let left = count == 0 ? pieces.count : gone / Piece.size
    spare.give(pieces.prefix(left))
    pieces.removeFirst(left)
    gone = count == 0 ? 0 : gone % Piece.size
  }

  mutating func removeAll() { removeFirst(count) }

  /// Gives `range` to `body`, piece by piece.
  func each<Fault: Error>(
    _ range: Range<Int>,
    _ body: (Span<UInt8>) throws(Fault) -> Void
  ) throws(Fault) {
    precondition(range.upperBound <= count, "what is asked for is kept")
    var at = gone + range.lowerBound
    let end = gone + range.upperBound
    while at < end {
      let start = at % Piece.size
      let length = min(Piece.size - start, end - at)
      try Self.lend(pieces[at / Piece.size].bytes, start..<start + length, body)
      at += length
    }
  }

  private static func lend<Fault: Error>(
    _ bytes: borrowing ByteBuffer,
    _ range: Range<Int>,
    _ body: (Span<UInt8>) throws(Fault) -> Void
  ) throws(Fault) {
    try body(bytes.bytes.extracting(range))
  }

  /// Appends a copy of `range` to a buffer.
  func copy(_ range: Range<Int>, into buffer: inout ByteBuffer) {
    each(range) { buffer.append($0) }
  }

  /// A copy of the bytes from `start` on, in one piece.
  func copy(from start: Int) -> ByteBuffer {
    var buffer = ByteBuffer(capacity: count - start)
    copy(start..<count, into: &buffer)
    return buffer
  }
}

/// Empty pieces, for the lines that come next.
///
/// While much is written, each answer of the medium empties about as many pieces as are needed
/// until the next one.
final class SparePieces {
  private var pieces: [KeptLines.Piece] = []
  /// The pieces that were not needed since the last `tidy`.
  private var unneeded = 0

  var count: Int { pieces.count }

  func popPiece() -> KeptLines.Piece {
    guard let piece = pieces.popLast() else { return KeptLines.Piece() }
    unneeded = min(unneeded, pieces.count)
    return piece
  }

  fileprivate func give(_ more: ArraySlice<KeptLines.Piece>) {
    for piece in more { piece.bytes.clear() }
    pieces += more
  }

  /// Frees the pieces that were not needed since the last time.
  func tidy() {
    pieces.removeLast(unneeded)
    unneeded = pieces.count
  }

  /// Frees all pieces.
  func clear() {
    pieces = []
    unneeded = 0
  }
}
