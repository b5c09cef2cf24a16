// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A fault of the harness itself, which its judge has to find: a judge that finds nothing is
/// broken.
enum Canary: String, CaseIterable {
  /// An entry is gone from the disk, and nothing has damaged it.
  case droppedEntry = "dropped-entry"
  /// A line reaches a client twice.
  case doubledLine = "doubled-line"
  /// A line does not reach its client.
  case missingLine = "missing-line"
  /// One bit of a line changes on its way to a client.
  case flippedBit = "flipped-bit"
  /// A gap is told with a wrong bound.
  case wrongGap = "wrong-gap"
  /// A gap is told with another reason than the true one.
  case wrongReason = "wrong-reason"
  /// The disk says that it has what it was given, and forgets it with the power.
  case lyingDisk = "lying-disk"
  /// A secret is written to a file.
  case toldSecret = "told-secret"
  /// An answer names the seq of another event.
  case wrongSeq = "wrong-seq"
  /// A state is told of which something is not true.
  case wrongState = "wrong-state"
  /// A start knows nothing of the events that were waiting.
  case forgottenEvents = "forgotten-events"

  /// The change that the canary makes to lines on their way to a client.
  func tampering(_ dice: Dice) -> (([UInt8]) -> [[UInt8]])? {
    let isStruck = { dice.once(in: 40) }
    switch self {
    case .droppedEntry, .lyingDisk, .toldSecret, .forgottenEvents: return nil
    case .doubledLine: return { isStruck() ? [$0, $0] : [$0] }
    case .missingLine:
      return { line in line.starts(with: "{\"seq\":".utf8) && isStruck() ? [] : [line] }
    case .flippedBit:
      return { line in
        guard line.starts(with: "{\"seq\":".utf8), isStruck() else { return [line] }
        var line = line
        let bit = dice.below(line.count * 8)
        line[bit / 8] ^= 1 << UInt8(bit % 8)
        return [line]
      }
    case .wrongGap:
      return { line in
        guard let (from, to, reason) = Self.gap(line) else { return [line] }
        let text = "{\"mark\":\"gap\",\"from\":\(from),\"to\":\(to + 1),\"reason\":\"\(reason)\"}"
        return [Array(text.utf8)]
      }
    case .wrongReason:
      return { line in
        guard let (from, to, reason) = Self.gap(line) else { return [line] }
        let other = reason == "retention" ? "corruption" : "retention"
        let text = "{\"mark\":\"gap\",\"from\":\(from),\"to\":\(to),\"reason\":\"\(other)\"}"
        return [Array(text.utf8)]
      }
    case .wrongState:
      let truth = Array("\"do_not_disturb\":0".utf8)
      return { line in
        // Few clients ask for the state.
        guard let start = line.find(truth, from: 0), dice.once(in: 4) else { return [line] }
        var line = line
        line[start + truth.count - 1] = UInt8(ascii: "7")
        return [line]
      }
    case .wrongSeq:
      return { line in
        var rest = Scanner(line[...])
        guard rest.skip("{\"id\":"), let id = rest.number(), rest.skip(",\"ok\":{\"seq\":"),
          let seq = rest.number(), isStruck()
        else { return [line] }
        return [Array("{\"id\":\(id),\"ok\":{\"seq\":\(seq + 1)".utf8) + rest.left]
      }
    }
  }

  private static func gap(_ line: [UInt8]) -> (from: Int64, to: Int64, reason: String)? {
    var rest = Scanner(line[...])
    guard rest.skip("{\"mark\":\"gap\",\"from\":"), let from = rest.number(), rest.skip(",\"to\":"),
      let to = rest.number(), rest.skip(",\"reason\":\""), let reason = rest.plainString()
    else { return nil }
    return (from, to, reason)
  }

  /// Damages the disk between two lives, without the judge's knowledge.
  func strike(_ disk: SimDisk, _ dice: Dice) {
    switch self {
    case .droppedEntry:
      let names = disk.fileNames.filter { DiskReading.first($0) != nil }
      guard !names.isEmpty else { return }
      disk.rot(dice.pick(names)) { bytes in
        guard let start = bytes.find(Array("{\"seq\":".utf8), from: 0),
          let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n"))
        else { return }
        bytes.removeSubrange(start...end)
      }
    case .toldSecret:
      guard let name = disk.fileNames.first else { return }
      disk.rot(name) { $0 += EventMaker.secretMark }
    case .doubledLine, .missingLine, .flippedBit, .wrongGap, .wrongReason, .lyingDisk, .wrongSeq,
      .wrongState, .forgottenEvents:
      return
    }
  }
}
