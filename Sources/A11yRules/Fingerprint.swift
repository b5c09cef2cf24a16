// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// A hundred and twenty-eight bits that tell one text from another, chosen by an enemy or not.
public struct Fingerprint: Hashable, Sendable {
  public private(set) var high: UInt64 = 0xcbf2_9ce4_8422_2325
  public private(set) var low: UInt64 = 0x9e37_79b9_7f4a_7c15

  public init() {}

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  public init(_ text: Span<UInt8>) {
    self.init()
    add(text)
  }

  /// The number by which a table of this process knows it.
  ///
  /// Apps choose their texts, but do not know these secrets: of two that they choose, next to none
  /// meet.
  public var mark: Int {
    let product = (high ^ Self.secrets.high).multipliedFullWidth(by: low ^ Self.secrets.low)
    return Int(truncatingIfNeeded: product.high ^ product.low)
  }

  private static let secrets = Fingerprint(
    high: .random(in: .min ... .max),
    low: .random(in: .min ... .max)
  )

  /// Of two texts that stand one behind the other.
  public func followed(by other: Fingerprint) -> Fingerprint {
    var print = self
    print.add(other.high)
    print.add(other.low)
    return print
  }

  public mutating func add(_ text: Span<UInt8>) {
    var sponge = Sponge(self)
    unsafe text.withUnsafeBytes { bytes in
      var place = 0
      while place + 8 <= bytes.count {
        sponge.absorb(
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
      sponge.absorb(rest | UInt64(truncatingIfNeeded: bytes.count) << 56)
    }
    self = sponge.print
  }

  /// Of a key that consists of a word alone, as rules and classes are.
  public static func ofWord(_ word: String) -> Fingerprint {
    var print = Fingerprint(word.utf8Span.span)
    print.addAbsence()
    print.addAbsence()
    print.addAbsence()
    return print
  }

  /// Adds that a part of a key is not there.
  ///
  /// No name says so: its last word ends with its length, for names have less than 256 bytes.
  public mutating func addAbsence() { add(UInt64.max) }

  public mutating func add(_ word: UInt64) {
    var sponge = Sponge(self)
    sponge.absorb(word)
    self = sponge.print
  }
}

/// SipHash's state, with a print in the place of the key.
///
/// It has twice the bits of a print, and a word reaches all of them before the next one comes: so
/// nobody can choose words that cancel each other out, though nothing here is secret.
private struct Sponge {
  private var a: UInt64
  private var b: UInt64
  private var c: UInt64 = 0x6c79_6765_6e65_7261
  private var d: UInt64 = 0x7465_6462_7974_6573

  @inline(__always)
  init(_ print: Fingerprint) {
    a = print.high
    b = print.low
  }

  @inline(__always)
  mutating func absorb(_ word: UInt64) {
    d ^= word
    stir()
    stir()
    a ^= word
  }

  /// What is left of the state, from which nobody finds the state.
  var print: Fingerprint {
    @inline(__always)
    get {
      var end = self
      end.c ^= 0xff
      end.stir()
      end.stir()
      return Fingerprint(high: end.a ^ end.c, low: end.b ^ end.d)
    }
  }

  @inline(__always)
  private mutating func stir() {
    a &+= b
    c &+= d
    b = b.rotated(by: 13) ^ a
    d = d.rotated(by: 16) ^ c
    a = a.rotated(by: 32) &+ d
    c &+= b
    d = d.rotated(by: 21) ^ a
    b = b.rotated(by: 17) ^ c
    c = c.rotated(by: 32)
  }
}

extension UInt64 {
  @inline(__always)
  fileprivate func rotated(by bits: UInt64) -> UInt64 { self &<< bits | self &>> (64 - bits) }
}
