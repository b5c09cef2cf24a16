// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// A hundred and twenty-eight bits that tell one text from another.
struct Fingerprint: Hashable, Sendable {
  private(set) var high: UInt64 = 0xcbf2_9ce4_8422_2325
  private(set) var low: UInt64 = 0x9e37_79b9_7f4a_7c15

  init() {}

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  init(_ text: Span<UInt8>) {
    self.init()
    add(text)
  }

  /// The number by which a table of this process knows it.
  ///
  /// Apps choose their texts, but do not know these secrets: of two that they choose, next to none
  /// meet.
  var mark: Int {
    let product = (high ^ Self.secrets.high).multipliedFullWidth(by: low ^ Self.secrets.low)
    return Int(truncatingIfNeeded: product.high ^ product.low)
  }

  private static let secrets = Fingerprint(
    high: .random(in: .min ... .max),
    low: .random(in: .min ... .max)
  )

  /// Of two texts that stand one behind the other.
  func followed(by other: Fingerprint) -> Fingerprint {
    var print = self
    print.add(other.high)
    print.add(other.low)
    return print
  }

  mutating func add(_ text: Span<UInt8>) {
    var print = self
    unsafe text.withUnsafeBytes { bytes in
      var place = 0
      while place + 8 <= bytes.count {
        print.add(
          unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        )
        place += 8
      }
      // Seven bytes are left at most.
      var rest: UInt64 = 0
      while place < bytes.count {
        rest = rest << 8 | UInt64(unsafe bytes[place])
        place += 1
      }
      // With the length, so that no zero byte goes unnoticed.
      print.add(rest | UInt64(truncatingIfNeeded: bytes.count) << 56)
    }
    self = print
  }

  mutating func add(_ word: UInt64) {
    high = (high ^ word) &* 0x9fb2_1c65_1e98_df25
    high ^= high >> 32
    low = (low &+ word) &* 0xff51_afd7_ed55_8ccd
    low ^= low >> 29
  }
}
