// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The first question that a program asks a sound server in PulseAudio's protocol, which PipeWire
/// speaks, too.
///
/// The kernel takes connections for a server that hangs, and the file of a socket outlives the
/// server; only an answer tells that somebody is there. Nothing is played.
enum PulseQuestion {
  /// The meaning of an answer.
  enum Answer: Equatable {
    case welcome
    /// It is there, and lets this user play nothing.
    case refusal
    /// These are not the words of a sound server.
    case other
  }

  /// A packet: its length, the channel of commands, and three numbers that only sound needs.
  private static let head = 20
  private static let auth: UInt32 = 8
  private static let (error, reply): (UInt32, UInt32) = (0, 2)
  private static let tag: UInt32 = 1
  /// Old enough for every server that runs today, and before shared memory had to be agreed on.
  private static let version: UInt32 = 13
  /// The secret that other machines would need; this one knows us by our uid.
  private static let secret = 256

  static let bytes: [UInt8] = {
    let body =
      tagged(auth) + tagged(tag) + tagged(version)
      + [UInt8(ascii: "x")] + plain(UInt32(secret)) + [UInt8](repeating: 0, count: secret)
    return plain(UInt32(body.count)) + plain(.max) + plain(0) + plain(0) + plain(0) + body
  }()

  /// Whether the first packet of an answer has come to its end.
  static func isWhole(_ answer: [UInt8]) -> Bool {
    guard let length = big32(answer, at: 0) else { return false }
    return answer.count >= head + Int(length)
  }

  static func verdict(on answer: [UInt8]) -> Answer {
    guard big32(answer, at: head + 6) == tag, answer[head] == UInt8(ascii: "L") else {
      return .other
    }
    switch big32(answer, at: head + 1) {
    case reply: return .welcome
    case error: return .refusal
    default: return .other
    }
  }

  /// A number of 32 bits with the letter that says so.
  private static func tagged(_ value: UInt32) -> [UInt8] { [UInt8(ascii: "L")] + plain(value) }

  private static func plain(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func big32(_ bytes: [UInt8], at place: Int) -> UInt32? {
    guard bytes.count >= place + 4 else { return nil }
    return bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
