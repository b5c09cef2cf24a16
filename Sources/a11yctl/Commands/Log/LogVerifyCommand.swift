// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// Checks every byte of the log.
struct LogVerifyCommand: Command {
  static let name = "log verify"
  static let summary = "check every line of the log"
  static let usage = "[OPTION]..."
  static let notes = """
    Reads all of the log: the checksum of each line, whether the seqs follow each other, how each
    segment begins and ends and goes on from the one before it, and the files that stand beside
    them. Prints each damage, its place and its cost; then one line that sums it up.
    An unfinished line at the very end of the log is no damage.
    It ends with 0 when the log is intact and with 1 when there is damage.
    \(LogPlace.notes)
    """
  static let options = [
    LogPlace.folderFlag,
    Flag("json", nil, "print one JSON object for each finding, and one for the sum"),
  ]
  static let common = Flag.explaining

  private let path: String
  private let isJSON: Bool

  init(_ words: CommandWords) throws(Failure) {
    try words.refuseOperands()
    path = try words.log()
    isJSON = words.has("json")
  }

  func run(_ output: Output) throws(Failure) {
    let log = try LogReader(path, Progress("Checked", output))
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
