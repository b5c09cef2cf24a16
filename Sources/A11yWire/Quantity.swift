// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Reads “1.5 s” and “16 MiB”: a decimal number, perhaps a space, and the name of a unit.
///
/// Everything is counted in whole numbers of the smallest unit, so that “0.1 s” is exactly 100,000
/// microseconds; a text that would leave a fraction of one is refused rather than rounded.
public enum Quantity {
  /// A unit's name and how many of the smallest unit it holds.
  public typealias Unit = (name: String, size: Int64)

  public static let durationUnits: [Unit] = [
    ("us", 1), ("ms", 1_000), ("s", 1_000_000), ("min", 60_000_000), ("h", 3_600_000_000),
    ("d", 86_400_000_000),
  ]

  public static let byteUnits: [Unit] = [
    ("B", 1), ("kB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("KiB", 1 << 10),
    ("MiB", 1 << 20), ("GiB", 1 << 30),
  ]

  /// A duration, or nil where the text is none.
  public static func duration(_ text: String) -> Duration? {
    microseconds(text).map { .microseconds($0) }
  }

  /// A duration in microseconds, or nil where the text is none.
  public static func microseconds(_ text: String) -> Int64? { amount(text, in: durationUnits) }

  /// The text that says this in the largest unit which leaves no fraction: “150 ms”.
  public static func text(microseconds: Int64) -> String {
    let unit = durationUnits.last { microseconds != 0 && microseconds.isMultiple(of: $0.size) }
    guard let unit else { return "\(microseconds) ms" }
    return "\(microseconds / unit.size) \(unit.name)"
  }

  public static func text(milliseconds: Int64) -> String {
    text(microseconds: TimeSpan.milliseconds(milliseconds).microseconds)
  }

  /// A number of bytes, or nil where the text is none.
  public static func bytes(_ text: String) -> Int64? { amount(text, in: byteUnits) }

  private static func amount(_ text: String, in units: [Unit]) -> Int64? {
    var rest = Substring(text)
    let whole = takeDigits(&rest)
    var fraction: Substring = ""
    if rest.first == "." {
      rest.removeFirst()
      fraction = takeDigits(&rest)
      if fraction.isEmpty { return nil }
    }
    if rest.first == " " { rest.removeFirst() }
    guard let unit = units.first(where: { $0.name == rest }) else { return nil }
    return amount(whole, fraction, of: unit.size)
  }

  private static func takeDigits(_ rest: inout Substring) -> Substring {
    let digits = rest.prefix { ("0"..."9").contains($0) }
    rest = rest.dropFirst(digits.count)
    return digits
  }

  private static func amount(_ whole: Substring, _ fraction: Substring, of size: Int64) -> Int64? {
    // Nine decimals are more than the smallest unit has, and keep the product within 128 bits.
    guard !whole.isEmpty, fraction.count <= 9, Int64(whole) != nil else { return nil }
    guard let digits = Int128(whole + fraction) else { return nil }
    let parts = fraction.reduce(Int128(1)) { parts, _ in parts * 10 }
    let (count, remainder) = (digits * Int128(size)).quotientAndRemainder(dividingBy: parts)
    return remainder == 0 ? Int64(exactly: count) : nil
  }
}
