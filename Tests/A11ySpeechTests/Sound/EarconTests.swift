// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import A11ySpeech

/// The sounds are WAV files that every player takes.
@Suite struct EarconTests {
  private func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  @Test(arguments: Earcon.allCases)
  func `a sound is a file of one channel and 16 bits whose sizes are true`(sound: Earcon) {
    let file = sound.wave

    #expect(Array(file[0..<4]) == Array("RIFF".utf8))
    #expect(Array(file[8..<16]) == Array("WAVEfmt ".utf8))
    #expect(Array(file[36..<40]) == Array("data".utf8))
    #expect(number(file[4..<8]) == file.count - 8)
    #expect(number(file[40..<44]) == file.count - 44)
    #expect(number(file[16..<20]) == 16)
    #expect(number(file[20..<22]) == 1 && number(file[22..<24]) == 1)
    #expect(number(file[24..<28]) == 22_050 && number(file[28..<32]) == 44_100)
    #expect(number(file[32..<34]) == 2 && number(file[34..<36]) == 16)
  }

  @Test(arguments: Earcon.allCases)
  func `a sound is short, can be heard, and does not click`(sound: Earcon) {
    let bytes = sound.wave.dropFirst(44)
    let samples = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
      Int16(truncatingIfNeeded: number(bytes[$0..<$0 + 2]))
    }

    #expect((1_000...5_000).contains(samples.count))
    #expect(samples.map { abs(Int($0)) }.max()! > 7_000)
    #expect(samples.map { abs(Int($0)) }.max()! <= 8_000)
    #expect(abs(Int(samples.first!)) < 100 && abs(Int(samples.last!)) < 100)
  }

  @Test func `no two sounds are the same`() {
    #expect(Set(Earcon.allCases.map(\.wave)).count == Earcon.allCases.count)
  }
}
