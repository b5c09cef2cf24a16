// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yTestKit
import A11yWire

/// Cursors and filters: the first line says from where on, the second is the filter as JSON, and
/// the rest are entries that it is to judge.
enum Requests {
  static func take(_ input: [UInt8], _ readers: Readers) throws(Broken) {
    let lines = input.split(
      separator: UInt8(ascii: "\n"),
      maxSplits: 2,
      omittingEmptySubsequences: false
    )
    .map { Array($0) }
    try checkCursor(String(decoding: lines[0], as: UTF8.self))
    guard lines.count == 3 else { return }
    let entries = lines[2].split(separator: UInt8(ascii: "\n")).map { Array($0) }
    for role in [Role.bus, .publish] {
      try subscribe(from: lines[0], filter: lines[1], role: role, to: entries, readers)
    }
  }

  /// A cursor that could be read says the same when it is written again.
  private static func checkCursor(_ text: String) throws(Broken) {
    guard let cursor = Cursor(text) else { return }
    try demand(cursor.seq >= .none, "a cursor before the first entry: \(text)")
    try demand(Cursor(cursor.text) == cursor, "\(text) is read back as another cursor")
    try demand(cursor.text.count <= text.count, "\(text) is not the shortest form of itself")
  }

  private static func subscribe(
    from: [UInt8],
    filter: [UInt8],
    role: Role,
    to entries: [[UInt8]],
    _ readers: Readers
  ) throws(Broken) {
    let bus = HandDriven()
    let session = bus.connect(role: role)
    var line = ByteBuffer(capacity: 1_024)
    line.append("{\"id\":1,\"op\":\"subscribe\",\"from\":")
    line.append(json: String(decoding: from, as: UTF8.self))
    if !filter.isEmpty {
      line.append(",\"filter\":")
      line.append(filter.span)
    }
    line.append("}")
    let request = line.bytes.array
    guard request.count <= Limits.lineBytes else { return }
    try Answers(bus.say(session, bytes: request), to: request, readers).check()
    guard let subscription = session.subscription else { return }
    let (first, last) = (bus.broker.head.first, bus.broker.head.last)
    try demand(
      subscription.after >= first.previous && subscription.after <= last,
      "it begins after \(subscription.after.number), where nothing is"
    )
    do throws(JSONFault) { try readers.request.read(request.span) } catch {
      throw Broken("a request that cannot be read was accepted: \(error.words)")
    }
    let asked = readers.request.document.member("filter", of: 0)
    try judge(entries, subscription.filter, asked, isOwn: role == .publish, readers)
  }

  private static func judge(
    _ entries: [[UInt8]],
    _ filter: Filter?,
    _ asked: JSONIndex?,
    isOwn: Bool,
    _ readers: Readers
  ) throws(Broken) {
    try demand((filter == nil) == (asked == nil && !isOwn), "a filter is there unasked, or is not")
    var latest = Latest()
    for (index, line) in entries.enumerated() {
      do throws(JSONFault) { try readers.answer.read(line.span) } catch { continue }
      let entry = readers.answer.document
      latest.note(entry, at: index)
      try demand(latest.keeps(entry, at: index), "the newest entry is not kept")
      guard let filter else { continue }
      let wanted = SimpleFilter(readers.request.document, asked, isOwn: isOwn).admits(entry)
      try demand(
        filter.admits(entry) == wanted,
        "passes \(!wanted), should \(wanted): \(String(decoding: line, as: UTF8.self))"
      )
    }
  }
}
