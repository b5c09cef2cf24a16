// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

/// Some entries of one machine in a file of their own, from which they can be explained.
final class FleetSpool {
  private let source: FleetSource
  private let machine: String
  private var file: FileDescriptor
  private var buffer = ByteBuffer(capacity: 65_536)
  private var bytes: Int64 = 0
  private var epoch = ""
  /// The first and the last entry in the file.
  private(set) var first: Int64 = 0
  private(set) var last: Int64 = 0
  /// The gaps that the engine tells of.
  private(set) var gaps: [(range: ClosedRange<Int64>, reason: String)] = []

  /// Bytes of a file, behind which no more is read.
  private static let most: Int64 = 1 << 30
  private static let mostGaps = 1_024
  private static let piece = 65_536

  init(_ source: FleetSource, _ machine: String) throws(Failure) {
    self.source = source
    self.machine = machine
    file = try Self.makeFile()
  }

  /// A path by which the file can be opened as long as this object lives.
  var path: String { "/dev/fd/\(file.number)" }

  /// Reads entries of the newest life, up to one of these numbers.
  func fill(_ words: [String], through: Int64 = .max) throws(Failure) {
    let reader = JSONReader(limit: Limits.answerBytes)
    try source.forEachEntry([machine] + words) { _, epoch, line throws(Failure) in
      guard (try? reader.read(line)) != nil else { return true }
      let entry = reader.document
      if entry.string("mark", of: entry.root) == "gap" {
        noteGap(entry)
        return true
      }
      guard let seq = entry.integer("seq", of: entry.root) else { return true }
      // The machine was made anew, and numbers its entries from 1 on.
      if seq <= last { try beginAnew() }
      if first == 0 { first = seq }
      (last, self.epoch) = (seq, epoch)
      buffer.append(line)
      buffer.append("\n")
      if buffer.count >= Self.piece { try keepBuffer() }
      return seq < through && bytes < Self.most
    }
    try keepBuffer()
  }

  private func noteGap(_ mark: JSONDocument) {
    guard let from = mark.integer("from", of: mark.root),
      let to = mark.integer("to", of: mark.root),
      from <= to, gaps.count < Self.mostGaps
    else { return }
    gaps.append((from...to, mark.string("reason", of: mark.root) ?? "unknown"))
  }

  private func beginAnew() throws(Failure) {
    file = try Self.makeFile()
    buffer.clear()
    (bytes, first, last, gaps) = (0, 0, 0, [])
  }

  private func keepBuffer() throws(Failure) {
    do throws(Errno) {
      try Self.keep(buffer, to: file)
    } catch {
      throw Failure(.inputOutput, "The entries cannot be kept: \(error).")
    }
    bytes += Int64(buffer.count)
    buffer.clear()
  }

  private static func keep(
    _ lines: borrowing ByteBuffer,
    to file: borrowing FileDescriptor
  ) throws(Errno) {
    try file.writeAll(lines.bytes)
  }

  /// A file without a name, which is gone with its descriptor.
  private static func makeFile() throws(Failure) -> FileDescriptor {
    let place = try ScratchPlace("a11yctl-fleet")
    defer { place.remove() }
    do throws(Errno) {
      return try FileDescriptor.open(place("entries"), [.readWrite, .create, .exclusive])
    } catch {
      throw Failure(.inputOutput, "There is no place for the entries: \(error).")
    }
  }

  /// The reason why an entry is not in the engine.
  func absence(of seq: Int64) -> String {
    if last == 0 { return "The engine has no entries of \(machine)." }
    if let gap = gaps.first(where: { $0.range.contains(seq) }) {
      let range = Seq(gap.range.lowerBound)...Seq(gap.range.upperBound)
      return "Entry \(seq) of \(machine) is in a gap: \(SeqWords.entries(range)) are missing, by "
        + "\(gap.reason)."
    }
    if seq > last { return "The engine has entries of \(machine) up to \(last)." }
    return "Entry \(seq) of \(machine) is not in the engine: it was forgotten, or it was not sent."
  }
}
