// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

/// Findings in the log as sentences.
enum FindingWords {
  static func sentence(_ finding: Finding) -> String {
    VisibleText.of(words(finding, finding.file ?? "the log"))
  }

  private static func words(_ finding: Finding, _ file: String) -> String {
    switch finding.kind {
    case .spoiltBytes:
      return "In \(file), \(bytes(finding)) damaged: \(cost(finding))"
    case .spoiltEnd:
      return
        "In \(file), \(bytes(finding)) damaged, behind everything that is intact. What they were"
        + " cannot be known; they are not delivered."
    case .spoiltNewline:
      return "In \(file), \(bytes(finding)) damaged: there a line should end. \(nothingLost)"
    case .spoiltHeader:
      return "In \(file), \(bytes(finding)) damaged: that is its first line, which describes it."
        + " \(nothingLost)"
    case .missingEntries:
      let place = finding.bytes.map { " at byte \($0.lowerBound)" } ?? ""
      return "In \(file), entries are missing\(place): \(cost(finding))"
    case .missingSegment:
      let place = finding.file.map { "Before \($0)" } ?? "At the end"
      return "\(place) a segment is missing: \(cost(finding))"
    case .neverWritten:
      let lost = finding.entries.map(SeqWords.entries) ?? "entries"
      return "Before \(file), \(lost) were delivered while the disk could not be written. They are"
        + " told as a gap; that is no damage."
    case .tornTail:
      return "\(file) ends in \(length(finding)) of an unfinished line. That is no damage: the bus"
        + " is writing it at this moment, or was ended while it did."
    case .contradiction(let words): return "\(file) is not what it was: \(words)"
    case .misnamed(let first):
      return "\(file) has the name of another segment: it begins with entry \(first.number)."
        + " It is read where it belongs. \(nothingLost)"
    case .doubled(let first):
      return "\(file) is another copy of the segment that begins with entry \(first.number). It is"
        + " not read."
    case .notAFile:
      let loss = finding.entries == nil ? "" : " \(cost(finding).asSentence)"
      return "\(file) has the name of a segment, but is no file. It is not read.\(loss)"
    case .unreadable(let reason):
      let place = finding.bytes.map { " from byte \($0.lowerBound) on" } ?? ""
      let held = finding.entries.map { ", \(SeqWords.entries($0))," } ?? ""
      return "\(file) cannot be read\(place): \(reason). What stands there\(held) is told as a gap."
    case .givenUp:
      return "\(file) was given up when the disk failed; its entries are in another segment."
    case .unknownName: return "\(file) is nothing that the log has made. It is left alone."
    case .state(let fault): return state(finding, file, fault)
    case .watermark:
      return "\(file) is damaged. It says how much of the log is safe; the next start of the bus"
        + " writes it anew. \(nothingLost)"
    case .watermarkSlot:
      return
        "One of the two lines of \(file) is damaged; the other one holds. That may be from a stop"
        + " in the middle of writing it."
    case .quarantine(let files, let bytes):
      return "The folder \(file) has \(SeqWords.count(files, "piece", "pieces")) of"
        + " \(ByteSize.words(bytes)) in all that earlier starts have found damaged and put aside."
    }
  }

  private static let nothingLost = "No entry is lost by it."

  private static func state(
    _ finding: Finding,
    _ file: String,
    _ fault: Finding.StateFault
  ) -> String {
    let advice = "It only spares reading what comes before it. \(nothingLost)"
    return switch fault {
    case .line: "In \(file), \(bytes(finding)) damaged. \(advice)"
    case .notWhole: "\(file) ends too early, at byte \(finding.bytes?.lowerBound ?? 0). \(advice)"
    case .stranger: "\(file) stands beside no segment. It is not read."
    }
  }

  private static func bytes(_ finding: Finding) -> String {
    guard let bytes = finding.bytes else { return "bytes are" }
    if bytes.count == 1 { return "byte \(bytes.lowerBound) is" }
    return "bytes \(bytes.lowerBound) to \(bytes.upperBound - 1) are"
  }

  private static func length(_ finding: Finding) -> String {
    SeqWords.count(Int64(finding.bytes?.count ?? 0), "byte", "bytes")
  }

  private static func cost(_ finding: Finding) -> String {
    guard let entries = finding.entries else { return "no entry is lost by it." }
    let verb = entries.lowerBound == entries.upperBound ? "is" : "are"
    return "\(SeqWords.entries(entries)) \(verb) lost and will be told as a gap."
  }

  // MARK: The sum

  /// The sum of the findings in one sentence.
  static func sum(_ result: Verification.Result) -> String {
    if result.damages == 0 {
      guard let first = result.first, let last = result.last else {
        return "The log is intact: it has no entry."
      }
      let segments = SeqWords.count(result.segments, "segment", "segments")
      let entries = SeqWords.count(result.entries, "entry", "entries")
      let run = first == last ? "\(last.number)" : "\(first.number) to \(last.number)"
      return "The log is intact: \(entries), \(run), in \(segments)."
    }
    guard !result.lost.isEmpty else {
      return "There is damage, but no entry is known to be lost:"
        + " \(SeqWords.count(result.entries, "entry is", "entries are")) intact."
    }
    let isOne = result.lost.count == 1 && result.lost[0].lowerBound == result.lost[0].upperBound
    return "\(SeqWords.entries(result.lost).asSentence) \(isOne ? "is" : "are") damaged and will be"
      + " told as \(result.lost.count == 1 ? "a gap" : "gaps"); everything else is intact."
  }
}
