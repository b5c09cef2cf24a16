// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// A script of clients and their words, made of any bytes.
///
/// Up to the first FF stand the sizes in which bytes arrive, again and again from the front; 0 is
/// all there are. Where the first of them is odd, lines are limited to 256 bytes. After it come
/// pieces, each up to the next FF: a letter for the client, then what it says. Each piece is a
/// turn. FF is in no text, so whatever is to be tried can be said.
struct ClientScript {
  struct Who {
    let letter: UInt8
    let role: Role
    let uid: UInt32
  }

  struct Piece {
    let client: Who
    let bytes: [UInt8]
    /// A capital letter: the client hangs up when it has said this.
    let hangsUp: Bool
    /// Until the next turn, in microseconds.
    let pause: Int64
  }

  let cuts: [Int]
  let limit: Int
  let pieces: [Piece]

  init(_ input: [UInt8]) {
    let parts = input.split(separator: 0xff, omittingEmptySubsequences: false)
    cuts = parts[0].map { $0 == 0 ? Int.max : Int($0) }
    limit = parts[0].first.map { $0 % 2 == 1 } == true ? 256 : Limits.lineBytes
    pieces = parts.dropFirst().map(Self.piece)
  }

  private static func piece(_ part: ArraySlice<UInt8>) -> Piece {
    let letter = part.first ?? UInt8(ascii: "b")
    let hangsUp = (65...90).contains(letter)
    let who: Who
    switch letter | 32 {
    case UInt8(ascii: "p"): who = Who(letter: letter | 32, role: .publish, uid: 1_000)
    // Of another user; the same names are other apps.
    case UInt8(ascii: "q"): who = Who(letter: letter | 32, role: .publish, uid: .max)
    case UInt8(ascii: "r"): who = Who(letter: letter | 32, role: .read, uid: 1_000)
    case UInt8(ascii: "c"): who = Who(letter: letter | 32, role: .control, uid: 1_000)
    default: who = Who(letter: UInt8(ascii: "b"), role: .bus, uid: 1_000)
    }
    // A client that says nothing lets time go by, so that keys are forgotten.
    let pause: Int64 = part.count <= 1 ? 400_000_000 : 1
    return Piece(client: who, bytes: Array(part.dropFirst()), hangsUp: hangsUp, pause: pause)
  }
}
