// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The short sounds of the bus, each a few tones of our own.
package enum Earcon: String, CaseIterable, Sendable {
  case screen
  case boundary
  case noAction = "no-action"
  case sound

  private struct Tone {
    let hertz: Double
    let milliseconds: Int
  }

  private var tones: [Tone] {
    switch self {
    case .screen: [Tone(hertz: 660, milliseconds: 60), Tone(hertz: 990, milliseconds: 80)]
    case .boundary: [Tone(hertz: 220, milliseconds: 90)]
    case .noAction: [Tone(hertz: 330, milliseconds: 60), Tone(hertz: 247, milliseconds: 90)]
    case .sound: [Tone(hertz: 880, milliseconds: 70)]
    }
  }

  private static let rate = 22_050
  /// Softer than speech.
  private static let loudness = 8_000.0
  /// The samples over which a tone begins and ends, so that it does not click.
  private static let fade = 220.0

  /// The sound as a WAV file: one channel, 16 bits.
  package var wave: [UInt8] {
    var samples: [UInt8] = []
    for tone in tones {
      let count = tone.milliseconds * Self.rate / 1_000
      for index in 0..<count {
        let edge = min(1, Double(min(index, count - index)) / Self.fade)
        let angle = 2 * Double.pi * tone.hertz * Double(index) / Double(Self.rate)
        Self.put(UInt64(bitPattern: Int64(Self.sine(angle) * edge * Self.loudness)), 2, &samples)
      }
    }
    var file = Array("RIFF".utf8)
    Self.put(UInt64(36 + samples.count), 4, &file)
    file += Array("WAVEfmt ".utf8)
    for (value, width) in [(16, 4), (1, 2), (1, 2), (Self.rate, 4), (Self.rate * 2, 4)] {
      Self.put(UInt64(value), width, &file)
    }
    for value in [2, 16] { Self.put(UInt64(value), 2, &file) }
    file += Array("data".utf8)
    Self.put(UInt64(samples.count), 4, &file)
    return file + samples
  }

  /// Appends a number, the lowest byte first.
  private static func put(_ value: UInt64, _ width: Int, _ bytes: inout [UInt8]) {
    for place in 0..<width { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(place * 8))) }
  }

  /// The sine of an angle, to a precision that 16 bits can hold.
  private static func sine(_ angle: Double) -> Double {
    var reduced = angle.truncatingRemainder(dividingBy: 2 * Double.pi)
    if reduced > Double.pi { reduced -= 2 * Double.pi }
    var (term, sum) = (reduced, reduced)
    for step in stride(from: 2.0, through: 18.0, by: 2.0) {
      term *= 0 - reduced * reduced / (step * (step + 1))
      sum += term
    }
    return sum
  }
}
