// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// Puts a checkpoint together from the lines of its file.
struct StateLineReader<State: LoggedState> {
  /// The first entry of the segment that the file stands beside, where that is known.
  let first: Seq?
  let json: JSONReader
  private var end = StateEnd()
  private(set) var checkpoint: Checkpoint<State>?
  /// The end line has come, and it is right.
  private(set) var isWhole = false
  /// A line is damaged or none of a state.
  private(set) var isBad = false

  init(first: Seq?, json: JSONReader) {
    self.first = first
    self.json = json
  }

  /// Restores the next line, without its newline.
  mutating func restore(_ line: Span<UInt8>) {
    guard !isWhole, !isBad else { return }
    isBad = true
    guard let checksum = LineChecksum.verified(line) else { return }
    let json = self.json
    do throws(JSONFault) { try json.read(line) } catch { return }
    let document = json.document
    if end.lines == 0 {
      checkpoint = readPlace(document)
      isBad = checkpoint == nil
    } else if let isStated = end.isStated(by: document) {
      isWhole = isStated
      isBad = !isWhole
    } else {
      isBad = !(checkpoint?.restore(document) ?? false)
    }
    end.include(checksum)
  }

  /// The place that the first line states.
  private func readPlace(_ document: JSONDocument) -> Checkpoint<State>? {
    guard let after = document.seq("after", of: document.root),
      let object = document.member("header", of: document.root),
      let header = SegmentHeader(document, in: object), header.first == first ?? header.first,
      after >= header.first.previous
    else { return nil }
    let hasForgotten = document.member("forgotten", of: document.root) != nil
    return Checkpoint(after: after, beside: header, hasForgotten: hasForgotten)
  }
}
