// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

// Apps that are forgotten in the log are forgotten in the model, too.
extension Model {
  /// The elements of the chosen apps whose values are secrets.
  public func secrets(
    of isMeant: (_ app: String, _ uid: Int64) -> Bool
  ) -> ForgottenSecrets {
    var secrets = ForgottenSecrets()
    for (key, app) in apps where isMeant(key.app.text, Int64(key.uid)) {
      for (id, window) in app.windows {
        let tree = window.tree
        var slot = tree.first
        while slot != .none {
          if tree.element(slot)?.isSecure ?? false {
            secrets.insert(ElementPlace(app: key, window: id, element: tree.name(slot)))
          }
          slot = tree.next(after: slot)
        }
      }
    }
    return secrets
  }

  /// Removes apps with all that is known of them, their connections included, so that the model is
  /// the one that the rest of the log makes.
  public mutating func forget(_ isMeant: (_ app: String, _ uid: Int64) -> Bool) {
    for (conn, client) in clients where isMeant(client.app.app.text, Int64(client.app.uid)) {
      clients[conn] = nil
      if client.isReader { reader.removeListener(conn) }
    }
    for key in apps.keys where isMeant(key.app.text, Int64(key.uid)) {
      weigh(key, -bytes(of: key))
      apps[key] = nil
      if active?.app == key { active = nil }
      claims.removeAll { $0.app == key }
      if focus?.place.app == key { focus = nil }
      dropSuggestion(in: nil, of: key)
    }
    findNextDue()
  }
}

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
