// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

// Facts about a stored line that are seen without reading it, and the writing of a name into it.
extension Span<UInt8> {
  var isBlank: Bool {
    for index in indices {
      guard self[index] == 32 || self[index] == 9 || self[index] == 13 else { return false }
    }
    return true
  }

  /// The type of an entry of the daemon's own; nil where clients write entries of this type, too.
  var ownType: EventType.Own? {
    guard let type = EnvelopePeek.type(in: self) else {
      preconditionFailure("the broker's own entries have a type")
    }
    let name = extracting(type)
    // Nearly all of them.
    if name.equals("outcome") { return .outcome }
    if name.equals("deliver") { return .deliver }
    return EventType.Own(name)
  }
}

extension ByteBuffer {
  /// Appends a stored line with a label in its envelope, and with the checksum of what it is now.
  mutating func append(_ line: Span<UInt8>, named label: String) {
    let mark: StaticString = ",\"conn\":"
    guard let conn = line.firstIndex(of: mark) else {
      preconditionFailure("an entry says who it is from")
    }
    var at = conn + mark.utf8CodeUnitCount
    while (48...57).contains(line[at]) { at += 1 }
    let start = count
    append(line.extracting(0..<at))
    append(",\"label\":")
    append(json: label)
    append(line.extracting(at..<line.count - LineChecksum.width))
    seal(from: start)
  }
}
