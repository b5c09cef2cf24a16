// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yClient
package import A11yWire

/// The facts about a line that an engine gives back.
package struct EngineLine: Equatable, Sendable {
  /// The seq of the entry; of a gap, its last.
  package let seq: Int64
  package let isGap: Bool
  /// The ranges of an entry about forgetting.
  package let forgotten: [ClosedRange<Int64>]

  /// Reads a line; nil where it is none of ours.
  package init?(_ bytes: [UInt8]) {
    let reader = JSONReader(limit: max(bytes.count, 64))
    guard (try? reader.read(bytes.span)) != nil else { return nil }
    let line = reader.document
    isGap = line.isGap
    guard let seq = line.integer(isGap ? "to" : "seq", of: line.root)?.ifReachable else {
      return nil
    }
    self.seq = seq
    let view = EntryView(of: line)
    let ranges = view.type == EventType.Own.forgot.rawValue ? view.forgottenRanges : []
    forgotten = ranges.filter {
      $0.lowerBound.ifReachable != nil && $0.upperBound.ifReachable != nil
    }
  }
}

extension Int64 {
  /// The number, if an engine that does not lie can have come to it; sums with it stay within 64
  /// bits.
  ///
  /// With a billion entries a second that many would take a hundred and forty years.
  package var ifReachable: Int64? { (0...1 << 62).contains(self) ? self : nil }
}

/// A forwarder's word that it and the bus live, which the engine keeps beside the log.
///
/// An idle bus writes nothing, so the log of a machine at which nobody sits looks like that of one
/// that is off. It tells of readers, too: the entry about the last one may be days old.
package struct SignOfLife: Equatable, Sendable {
  package let epoch: String
  /// The newest entry of the log, be it in the engine or not.
  package let last: Int64
  /// The screen readers that listen.
  package let readers: Int64

  /// The seconds for which an engine keeps a sign: after a month nobody waits for the machine.
  package static let lifetime: Int64 = 2_592_000
  /// A sign has an epoch and two numbers; anything longer is none.
  private static let longest = 1_024

  package init(epoch: String, last: Int64, readers: Int64) {
    (self.epoch, self.last, self.readers) = (epoch, last, readers)
  }

  /// Reads a sign; nil where the text is none of ours.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.longest,
      let content = JSONValue(json: String(decoding: bytes, as: UTF8.self)),
      let epoch = content["epoch"]?.string, !epoch.isEmpty,
      epoch.utf8.allSatisfy({ (33...126).contains($0) }),
      let last = content["last"]?.integer, let readers = content["readers"]?.integer
    else { return nil }
    self.init(epoch: epoch, last: last, readers: readers)
  }

  /// The sign as an engine keeps it.
  package var text: String {
    JSONValue.object([
      .init("epoch", .string(epoch)), .init("last", .integer(last)),
      .init("readers", .integer(readers)),
    ]).description
  }

  /// Appends the sign as a mark, with the instant at which the engine got it.
  package func writeMark(at time: Int64, into out: inout ByteBuffer) {
    out.append("{")
    out.append(member: "mark", "alive")
    out.append(member: "time", time)
    out.append(member: "last", last)
    out.append(member: "readers", readers)
    out.append("}")
  }
}

extension MachineName {
  /// The subject of its signs of life in NATS, which no stream for logs takes.
  package var aliveSubject: String { "a11yd-alive.\(text)" }

  /// The key of its sign of life in Redis, in the slot of its stream.
  package var aliveKey: String { "a11yd:{\(text)}:alive" }
}
