// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
internal import A11yWire

/// The word of a log that it has a format of which this version knows nothing.
///
/// A start renames, puts aside and goes on with what it finds, so it may not begin on lines that it
/// would take for damage. Each start begins a segment, so the newest segment tells who wrote here
/// last. Whatever a later format is like, its first line will be an object with a number `format`.
package struct LaterFormat: Equatable, Sendable, CustomStringConvertible {
  package let file: String
  package let format: Int64

  /// Looks at the newest segment; nil where it is of a known format, damaged, or none is there.
  package init?(on disk: any Disk) throws(Errno) {
    let names = try disk.names(in: nil)
    let newest = names.compactMap { name in SegmentName.first(entries: name).map { ($0, name) } }
      .max { $0.0 < $1.0 }
    guard let newest, try disk.measure(newest.1).kind == .file else { return nil }
    var line = ByteBuffer(capacity: 4_096)
    let file = try disk.open(newest.1)
    guard let end = try FoundSegments.readFirstLine(of: file, into: &line) else { return nil }
    let json = JSONReader(limit: Limits.answerBytes)
    do throws(JSONFault) { try json.read(line.bytes.extracting(0..<end)) } catch { return nil }
    guard let stated = json.document.integer("format", of: json.document.root),
      stated > SegmentHeader.format
    else { return nil }
    self.file = newest.1
    format = stated
  }

  package var description: String {
    "\(file) was written by a later version: it has format \(format), and this version knows"
      + " format \(SegmentHeader.format)"
  }
}
