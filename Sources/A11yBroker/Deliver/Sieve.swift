// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// The filters of the subscribers, and the latest lines that pass them.
///
/// A line is read once for all filters, and judged once for all subscribers with the same filter,
/// be they at the end of the log or a little behind it.
package final class Sieve {
  /// One bit of a word for each filter; the subscribers of further ones judge each line themselves.
  package static let most = 64
  /// The latest lines whose verdicts are kept, of eight bytes each; a power of two.
  package static let keptLines = 32_768

  /// A filter with its seats.
  private struct Row {
    let filter: Filter
    var seats = 1
    /// The lines before were judged without the filter.
    var since: Int
  }

  /// The filters, each at the place of its bit.
  private var rows: [Row?] = []
  /// The filters that each of the latest lines passes; beyond the bound a line takes the place of
  /// the oldest.
  private var passed: [UInt64] = []
  /// The seq of the first line that was judged, and the number of lines since, without a gap.
  private var first = Seq.none
  private var judged = 0
  /// The filters that some line passes of those that were judged last.
  package private(set) var passedLast: UInt64 = 0

  package init() {}

  // MARK: Seats

  /// A filter's bit, as long as somebody holds it.
  package struct Seat: ~Copyable {
    /// The bit's number; nil without a filter, or where all bits are taken.
    package let bit: UInt8?
    private let sieve: Sieve

    fileprivate init(_ bit: Int?, in sieve: Sieve) {
      self.bit = bit.map(UInt8.init)
      self.sieve = sieve
    }

    deinit { if let bit { sieve.vacate(Int(bit)) } }
  }

  /// A seat for a subscriber with this filter; equal filters share a bit.
  package func seat(for filter: Filter?) -> Seat {
    guard let filter else { return Seat(nil, in: self) }
    if let bit = rows.firstIndex(where: { $0?.filter == filter }) {
      rows[bit]?.seats += 1
      return Seat(bit, in: self)
    }
    let row = Row(filter: filter, since: judged)
    if let bit = rows.firstIndex(where: { $0 == nil }) {
      rows[bit] = row
      return Seat(bit, in: self)
    }
    guard rows.count < Self.most else { return Seat(nil, in: self) }
    rows.append(row)
    return Seat(rows.count - 1, in: self)
  }

  private func vacate(_ bit: Int) {
    rows[bit]?.seats -= 1
    guard rows[bit]?.seats == 0 else { return }
    rows[bit] = nil
    while let last = rows.last, last == nil { rows.removeLast() }
    if rows.isEmpty { clear() }
  }

  // MARK: Verdicts

  /// Judges lines, each with its newline, by the filters that have a seat.
  package func judge(_ lines: Span<UInt8>, with json: JSONReader) {
    passedLast = 0
    guard !rows.isEmpty, let seq = Seq(of: lines) else { return }
    if seq.number != first.number + Int64(judged) {
      clear()
      first = seq
    }
    var start = 0
    while let newline = lines.firstIndex(of: UInt8(ascii: "\n"), from: start) {
      keep(filtersPassed(by: lines.extracting(start..<newline), json))
      start = newline + 1
    }
  }

  private func keep(_ verdict: UInt64) {
    passedLast |= verdict
    if passed.count < Self.keptLines {
      passed.append(verdict)
    } else {
      passed[judged % Self.keptLines] = verdict
    }
    judged += 1
  }

  private func filtersPassed(by line: Span<UInt8>, _ json: JSONReader) -> UInt64 {
    do throws(JSONFault) { try json.read(line) } catch { return 0 }
    let envelope = EntryView(of: json.document)
    var passed: UInt64 = 0
    for bit in rows.indices where rows[bit]?.filter.admits(json.document, envelope) ?? false {
      passed |= 1 << UInt64(bit)
    }
    return passed
  }

  /// Drops the verdicts: the log has other lines in the place of those that were judged.
  package func clear() {
    passed = []
    first = .none
    judged = 0
    for bit in rows.indices { rows[bit]?.since = 0 }
  }

  /// The verdicts on the line `seq` and those behind it; nil where that line was not judged.
  package func verdicts(for seat: borrowing Seat, from seq: Seq) -> Verdicts? {
    guard let bit = seat.bit, let row = rows[Int(bit)] else { return nil }
    let line = Int(seq.number - first.number)
    guard line >= max(row.since, judged - passed.count), line < judged else { return nil }
    return Verdicts(passed: passed, mask: 1 << UInt64(bit), line: line, end: judged)
  }

  /// Whether each line passes one filter, line by line.
  package struct Verdicts {
    fileprivate let passed: [UInt64]
    fileprivate let mask: UInt64
    fileprivate var line: Int
    fileprivate let end: Int

    /// The verdict on the next line; nil behind the last line that was judged.
    package mutating func next() -> Bool? {
      guard line < end else { return nil }
      defer { line += 1 }
      return passed[line % Sieve.keptLines] & mask != 0
    }
  }
}
