// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

/// Checks every byte of the log.
struct LogVerifyCommand: Command {
  static let name = "log verify"
  static let summary = "check every line of the log"
  static let notes = """
    Reads all of the log: the checksum of each line, whether the seqs follow each other, how each
    segment begins and ends and goes on from the one before it, and the files that stand beside
    them. Prints each damage, its place and its cost; then one line that sums it up.
    An unfinished line at the very end of the log is no damage.
    It ends with 0 when the log is intact and with 1 when there is damage.
    \(LogPlace.notes)
    """

  private let log = LogFolder()
  @Flag("json", "print one JSON object for each finding, and one for the sum")
  private var isJSON: Bool

  func run(_ output: Output) throws(Failure) {
    let log = try LogReader(log.path(), Progress("Checked", output))
    try log.needFolder(for: Self.name)
    var verification = Verification(log) { finding throws(Failure) in
      if isJSON {
        var line = ByteBuffer(capacity: 512)
        finding.appendJSON(to: &line)
        output.line(line.bytes)
      } else {
        output.line(FindingWords.sentence(finding))
      }
      try output.flush()
    }
    try verification.verify()
    let result = verification.result
    if isJSON {
      var line = ByteBuffer(capacity: 512)
      result.appendJSON(to: &line)
      output.line(line.bytes)
    } else {
      output.line(FindingWords.sum(result))
    }
    try output.flush()
    if result.damages > 0 { throw Failure(.found, nil) }
  }
}

extension Finding {
  fileprivate func appendJSON(to line: inout ByteBuffer) {
    line.object { line in
      line.append(member: "weight", weight.rawValue)
      line.append(member: "finding", kind.name)
      if let file { line.append(member: "file", file) }
      if let bytes {
        line.append(member: "offset", bytes.lowerBound)
        line.append(member: "length", Int64(bytes.count))
      }
      if let entries {
        line.append(member: "from", entries.lowerBound.number)
        line.append(member: "to", entries.upperBound.number)
      }
      line.append(member: "words", FindingWords.sentence(self))
    }
  }
}

extension Finding.Kind {
  /// The name in the JSON.
  fileprivate var name: String {
    switch self {
    case .spoiltBytes: "spoilt-bytes"
    case .spoiltEnd: "spoilt-end"
    case .spoiltNewline: "spoilt-newline"
    case .spoiltHeader: "spoilt-header"
    case .missingEntries: "missing-entries"
    case .missingSegment: "missing-segment"
    case .neverWritten: "never-written"
    case .tornTail: "torn-tail"
    case .contradiction: "contradiction"
    case .misnamed: "misnamed"
    case .doubled: "doubled"
    case .notAFile: "not-a-file"
    case .unreadable: "unreadable"
    case .givenUp: "given-up"
    case .unknownName: "unknown-name"
    case .state: "state"
    case .watermark: "watermark"
    case .watermarkSlot: "watermark-line"
    case .quarantine: "quarantine"
    }
  }
}

extension Verification.Result {
  fileprivate func appendJSON(to line: inout ByteBuffer) {
    line.object { line in
      line.append(member: "intact", damages == 0)
      line.append(member: "damages", damages)
      line.append(member: "segments", segments)
      line.append(member: "entries", entries)
      if let first { line.append(member: "first", first.number) }
      if let last { line.append(member: "last", last.number) }
      line.array("lost", of: lost) { line, range in
        line.object { line in
          line.append(member: "from", range.lowerBound.number)
          line.append(member: "to", range.upperBound.number)
        }
      }
      line.append(member: "words", FindingWords.sum(self))
    }
  }
}

/// A damage in the log, or a fact about it that is worth knowing.
struct Finding: Equatable {
  enum Weight: String {
    /// The log is not what it was when it was written.
    case damage
    /// The log's own rules allow it.
    case note
  }

  enum Kind: Equatable {
    /// Bytes without an intact line.
    case spoiltBytes
    /// Spoilt bytes at the end of the log, where nothing tells their former content.
    case spoiltEnd
    /// The newline of a line that is intact otherwise.
    case spoiltNewline
    /// The first line of a segment.
    case spoiltHeader
    /// A run of entries is missing, with nothing in its place.
    case missingEntries
    /// A whole segment is gone.
    case missingSegment
    /// Entries that were delivered while the disk could not be written.
    case neverWritten
    /// An unfinished line at the very end.
    case tornTail
    /// A segment, or its successor, states something about it that is not so.
    case contradiction(String)
    /// The file has the name of another segment.
    case misnamed(first: Seq)
    case doubled(first: Seq)
    case notAFile
    case unreadable(String)
    case givenUp
    case unknownName
    case state(StateFault)
    case watermark
    /// One of the two lines of the watermark.
    case watermarkSlot
    /// Files that earlier starts have put aside.
    case quarantine(files: Int64, bytes: Int64)
  }

  /// The faults of a file with the presenter's state.
  enum StateFault: Equatable {
    case line
    case notWhole
    case stranger
  }

  let weight: Weight
  let kind: Kind
  let file: String?
  /// The place in the file; nil where the finding is about the whole file.
  var bytes: Range<Int64>?
  /// The entries that it has cost.
  var entries: ClosedRange<Seq>?

  init(
    _ weight: Weight,
    _ kind: Kind,
    in file: String?,
    bytes: Range<Int64>? = nil,
    entries: ClosedRange<Seq>? = nil
  ) {
    self.weight = weight
    self.kind = kind
    self.file = file
    self.bytes = bytes
    self.entries = entries
  }
}

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
      return "The folder \(file) has \(files.counted("piece")) of"
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
    (finding.bytes?.count ?? 0).counted("byte")
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
      let segments = result.segments.counted("segment")
      let entries = result.entries.counted("entry")
      let run = first == last ? "\(last.number)" : "\(first.number) to \(last.number)"
      return "The log is intact: \(entries), \(run), in \(segments)."
    }
    guard !result.lost.isEmpty else {
      return "There is damage, but no entry is known to be lost:"
        + " \(result.entries.counted("entry", "is")) intact."
    }
    let isOne = result.lost.count == 1 && result.lost[0].lowerBound == result.lost[0].upperBound
    return "\(SeqWords.entries(result.lost).asSentence) \(isOne ? "is" : "are") damaged and will be"
      + " told as \(result.lost.count == 1 ? "a gap" : "gaps"); everything else is intact."
  }
}
