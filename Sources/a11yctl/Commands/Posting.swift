// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire

/// Publishes the lines of the standard input.
///
/// Lines that have come together are sent together, and their answers are awaited before more is
/// read: the seq of a typed line appears at once, and a file goes through in large strides.
struct Posting: ~Copyable {
  /// The bytes of one read: about as many as a pipe holds.
  private static let room = 65_536

  private let publishing: Publishing
  private let output: Output
  private let input: FileDescriptor
  private var bytes = ByteBuffer(capacity: room)
  private var splitter = LineSplitter(limit: A11yWire.Limits.lineBytes)
  private let reader = JSONReader(limit: A11yWire.Limits.lineBytes)
  private var number = 0
  private var refused = 0

  init(_ publishing: Publishing, _ output: Output, input: consuming FileDescriptor) {
    self.publishing = publishing
    self.output = output
    self.input = input
  }

  mutating func postAll() throws(Failure) {
    let bus = try asking { () throws(ClientError) in try publishing.connect() }
    while true {
      let hasEnded = try readMore()
      try publishLines(takeLines(hasEnded: hasEnded), bus)
      if hasEnded { break }
    }
    guard refused > 0 else { return }
    let lines = refused == 1 ? "1 line was" : "\(refused) lines were"
    throw Failure(.refused, "\(lines) refused.")
  }

  /// A line of the input: an event, or the mistake in it.
  private struct Line {
    let number: Int
    let content: Content
  }

  private enum Content {
    case event(Event, type: String?)
    case refused(RefusalCode, String)

    var event: Event? { if case .event(let event, _) = self { event } else { nil } }
  }

  /// Reads more; true at the end.
  private mutating func readMore() throws(Failure) -> Bool {
    do throws(Errno) {
      let before = bytes.count
      try bytes.append(room: Self.room) { room throws(Errno) in try input.read(into: room) }
      return bytes.count == before
    } catch {
      throw Failure(.inputOutput, "Reading the standard input failed: \(error).")
    }
  }

  private mutating func takeLines(hasEnded: Bool) -> [Line] {
    // The last line of a file may lack its newline.
    if hasEnded, !bytes.isEmpty { bytes.append("\n") }
    var lines: [Line] = []
    var start = 0
    while true {
      switch Self.step(&splitter, through: bytes, from: start) {
      case .line(let range, let next):
        start = next
        number += 1
        if let content = content(range) { lines.append(Line(number: number, content: content)) }
      case .tooLong(let next):
        start = next
        number += 1
        let words = "expected at most \(A11yWire.Limits.lineBytes) bytes"
        lines.append(Line(number: number, content: .refused(.lineTooLong, words)))
      case .incomplete(let from):
        bytes.removeFirst(from)
        return lines
      }
    }
  }

  /// The next step of the splitter.
  ///
  /// Static, because the compiler sees that two properties do not overlap only where each is passed
  /// by itself.
  private static func step(
    _ splitter: inout LineSplitter,
    through bytes: borrowing ByteBuffer,
    from start: Int
  ) -> LineSplitter.Step {
    splitter.step(bytes.bytes, from: start)
  }

  /// The content of a line; nil for a blank one.
  private func content(_ range: Range<Int>) -> Content? {
    let line = bytes.bytes.extracting(range)
    let text = line.string
    if text.allSatisfy(\.isWhitespace) { return nil }
    do throws(JSONFault) {
      try reader.read(line)
      return .event(Event(checked: text), type: reader.document.string("type", of: 0))
    } catch {
      return .refused(.jsonInvalid, error.words)
    }
  }

  private mutating func publishLines(_ lines: [Line], _ bus: BusConnection) throws(Failure) {
    let events = lines.compactMap(\.content.event)
    var results: [Result<Receipt, BusRefusal>]
    do throws(ClientError) {
      results = try bus.publish(all: events, ack: publishing.acknowledgement)
    } catch {
      let failure = Failure(error)
      let from = lines.first?.number ?? number
      throw Failure(
        failure.code,
        "\(failure.words ?? "") Lines from \(from) on may be on record or not."
      )
    }
    results.reverse()
    for line in lines {
      let subject = "Line \(line.number) was refused"
      switch line.content {
      case .refused(let code, let words):
        refuse(RefusalWords.sentence(subject, code.rawValue, words))
      case .event(_, let type):
        switch results.removeLast() {
        case .success(let receipt): publishing.show(receipt, output)
        case .failure(let refusal): refuse(RefusalWords.sentence(subject, refusal, type: type))
        }
      }
    }
    publishing.show(bus.takeComplaints(), output)
    try output.flush()
  }

  private mutating func refuse(_ sentence: String) {
    refused += 1
    output.complain(sentence)
  }
}
