// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPresenter
internal import A11yWire

/// Room for one line, used again and again.
struct LineBox: ~Copyable {
  private var out = ByteBuffer(capacity: 4_096)

  mutating func writeDecision(
    _ decision: Decision,
    seq: Seq,
    time: Int64,
    mono: Int64,
    origin: Span<UInt8>
  ) {
    beginEntry(seq, time, mono, origin)
    out.append("{\"type\":\"")
    out.append(text: decision.type)
    out.append("\"")
    decision.write(into: &out)
    out.append("}")
    endEntry()
  }

  func isEqual(to line: Span<UInt8>) -> Bool { out.bytes.equals(line) }

  /// Writes a reader's report as it would stand in the log.
  mutating func writeReport(
    _ report: AutoReader.Report,
    seq: Seq,
    time: Int64,
    mono: Int64,
    origin: Span<UInt8>
  ) {
    beginEntry(seq, time, mono, origin)
    report.write(into: &out)
    endEntry()
  }

  private mutating func beginEntry(
    _ seq: Seq,
    _ time: Int64,
    _ mono: Int64,
    _ origin: Span<UInt8>
  ) {
    out.clear()
    out.append("{\"seq\":")
    out.append(decimal: seq.number)
    out.append(",\"time\":")
    out.append(decimal: time)
    out.append(",\"mono\":")
    out.append(decimal: mono)
    out.append(origin)
    out.append(",\"event\":")
  }

  /// Seals the entry, which has no newline.
  private mutating func endEntry() {
    out.seal(from: 0)
    out.truncate(to: out.count - 1)
  }

  var text: [UInt8] { out.bytes.array }
}
