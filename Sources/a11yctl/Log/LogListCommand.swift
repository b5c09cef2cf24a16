// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yLog
import A11yPosix
import A11yWire

/// Lists the files of the log.
struct LogListCommand: Command {
  static let name = "log ls"
  static let summary = "list the segments of the log"
  static let notes = """
    Prints a line for each segment, oldest first, and the sum of all.
    \(LogPlace.notes)
    """

  private let log = LogFolder()
  @Flag("json", "print one JSON object for each segment") private var isJSON: Bool

  func run(_ output: Output) throws(Failure) {
    let log = try LogReader(log.path(), Progress("Read", output))
    try log.needFolder(for: Self.name)
    var all: [SegmentSummary] = []
    for index in log.segments.indices {
      guard let summary = try SegmentSummary(log, index) else { continue }
      all.append(summary)
      if isJSON {
        var line = ByteBuffer(capacity: 512)
        summary.appendJSON(to: &line)
        output.line(line.bytes)
      } else {
        output.line(summary.sentence)
      }
      try output.flush()
    }
    if !isJSON { output.line(SegmentSummary.sum(all)) }
  }
}

/// One segment in the list.
struct SegmentSummary: Equatable {
  let name: String
  var first: Seq
  var last: Seq
  var count: Int64 = 0
  let size: Int64
  /// The times of the first and last entry.
  var times: (from: Int64, to: Int64)?
  let isClosed: Bool
  /// Whether it is the last segment; if it is not closed, a bus may be writing to it.
  let isLast: Bool
  let hasState: Bool
  let isDamaged: Bool

  /// Reads the segment through; nil where it has gone meanwhile.
  init?(_ log: LogReader, _ index: Int) throws(Failure) {
    let segment = log.segments[index]
    let reader = JSONReader(limit: Limits.answerBytes)
    var times: (from: Int64, to: Int64)?
    var newest = ByteBuffer(capacity: 1_024)
    func time(_ line: Span<UInt8>) -> Int64 {
      do throws(JSONFault) { try reader.read(line) } catch { return 0 }
      return EntryView(of: reader.document).time ?? 0
    }
    let content = try log.scan(index) { line, _ in
      if times == nil { times = (time(line), 0) }
      newest.clear()
      newest.append(line)
      return true
    }
    guard let content else { return nil }
    if let fault = content.fault {
      throw Failure(.inputOutput, VisibleText.of("Reading \(segment.name) failed: \(fault)."))
    }
    if !newest.isEmpty { times?.to = time(newest.bytes) }
    let end = content.scan.end
    let extents = content.scan.extents
    name = segment.name
    first = segment.first
    last = end.last
    count = end.count
    size = content.scan.offset
    self.times = times
    isClosed = content.closing != nil
    isLast = index == log.segments.count - 1
    hasState = log.states.contains(segment.first)
    isDamaged =
      !content.scan.innerDamage.isEmpty || extents.count > 1 || segment.isMisnamed
      || segment.header == nil
  }

  static func == (a: SegmentSummary, b: SegmentSummary) -> Bool {
    a.name == b.name && a.first == b.first && a.last == b.last && a.count == b.count
  }

  var sentence: String {
    var words = "Segment \(first.number) has "
    if count > 0 {
      let entries = count.counted("entry")
      let run = first == last ? "\(last.number)" : "\(first.number) to \(last.number)"
      words += "\(entries), \(run), \(ByteSize.words(size))"
    } else {
      words += "no entry yet, \(ByteSize.words(size))"
    }
    if let times {
      words += ", from \(ClockTime.dayAndTime(times.from)) to \(ClockTime.dayAndTime(times.to))"
    }
    words += ". It \(isClosed ? "is closed" : isLast ? "is open" : "was never closed")"
    words += " and has \(hasState ? "a" : "no") state file."
    if isDamaged { words += " Something in it is damaged; a11yctl log verify tells what." }
    return words
  }

  func appendJSON(to line: inout ByteBuffer) {
    line.object { line in
      line.append(member: "file", name)
      line.append(member: "first", first.number)
      line.append(member: "last", last.number)
      line.append(member: "count", count)
      line.append(member: "bytes", size)
      if let times {
        line.append(member: "from", times.from)
        line.append(member: "to", times.to)
      }
      line.append(member: "closed", isClosed)
      line.append(member: "state", hasState)
      line.append(member: "damaged", isDamaged)
    }
  }

  static func sum(_ all: [SegmentSummary]) -> String {
    guard !all.isEmpty else { return "The log has no segment." }
    let count = all.reduce(0) { $0 + $1.count }
    let size = all.reduce(0) { $0 + $1.size }
    let segments = all.count.counted("segment")
    let entries = count.counted("entry")
    return "In all \(segments), \(entries), \(ByteSize.words(size))."
  }
}
