// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

/// Elements that were known to hold secrets when their apps were forgotten.
///
/// An app is not told that it was forgotten, and may go on with a value alone. So the bus must
/// still know which values to withhold, while none of the app's names may be left: of each place it
/// keeps a number made from its names. Two places with the same number withhold a value too many.
public struct ForgottenSecrets: Equatable, Sendable {
  private var marks: Set<UInt64> = []

  public init() {}

  public var isEmpty: Bool { marks.isEmpty }

  public func contains(_ place: ElementPlace) -> Bool {
    !marks.isEmpty && marks.contains(Self.mark(place))
  }

  public mutating func insert(_ place: ElementPlace) { marks.insert(Self.mark(place)) }

  public mutating func formUnion(_ other: ForgottenSecrets) { marks.formUnion(other.marks) }

  /// FNV-1a over the names, parted by a byte that none of them has.
  private static func mark(_ place: ElementPlace) -> UInt64 {
    var mark: UInt64 = 0xcbf2_9ce4_8422_2325
    func mix(_ byte: UInt8) { mark = (mark ^ UInt64(byte)) &* 0x100_0000_01b3 }
    for shift in stride(from: 0, to: 32, by: 8) {
      mix(UInt8(truncatingIfNeeded: place.app.uid >> UInt32(shift)))
    }
    for name in [place.app.app, place.window, place.element] {
      for byte in name.text.utf8 { mix(byte) }
      mix(0xFF)
    }
    return mark
  }

  // MARK: In a `.state` file

  /// Marks that share a line.
  private static let lineMarks = 512

  /// The lines that hold the marks, to be written one by one.
  public var lines: ArraySlice<Line> {
    let sorted = marks.sorted()
    return stride(from: 0, to: sorted.count, by: Self.lineMarks).map { start in
      Line(marks: sorted[start..<min(start + Self.lineMarks, sorted.count)])
    }[...]
  }

  public struct Line: Sendable {
    let marks: ArraySlice<UInt64>

    public func write(into out: inout ByteBuffer) {
      let start = out.count
      out.append("{")
      out.array("secrets", of: marks) { $0.append(json: String($1, radix: 16)) }
      out.seal(from: start)
    }
  }

  /// Restores the marks of such a line; false where the line is none.
  public mutating func restore(_ line: JSONDocument) -> Bool {
    guard let list = line.member("secrets", of: line.root), line.kind(list) == .list else {
      return false
    }
    var item = list + 1
    while item < line.end(list) {
      guard let text = line.stringIfAny(item), let mark = UInt64(text, radix: 16) else {
        return false
      }
      marks.insert(mark)
      item = line.end(item)
    }
    return true
  }
}
