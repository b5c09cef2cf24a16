// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import a11yctl

/// The keys of a terminal, as bytes.
@Suite struct InspectKeyTests {
  private func keys(_ text: String) -> [InspectKey] { InspectKey.parse(Array(text.utf8)) }

  @Test func `keys that come together are told apart`() {
    #expect(keys("np") == [.act("next"), .act("previous")])
    #expect(keys("\u{1B}[Bq") == [.act("next"), .quit])
    #expect(keys("\u{1B}[A\u{1B}OH\u{1B}[4~") == [.act("previous"), .act("first"), .act("last")])
  }

  @Test func `no key is passed over`() {
    #expect(keys("\u{1B}") == [.unknown("Escape")])
    #expect(keys("\u{1B}[15~\u{1B}[1;5P") == [.unknown("That key"), .unknown("That key")])
    #expect(keys("ä") == [.unknown("ä")])
    #expect(keys("0") == [.unknown("0")])
    for byte in UInt8(0)...255 { #expect(InspectKey.parse([byte]).count == 1) }
  }

  @Test func `every key that does something is in the help`() {
    let help = InspectKey.help.joined(separator: " ")
    for byte in UInt8(ascii: "!")...UInt8(ascii: "~") {
      let key = InspectKey.parse([byte])[0]
      if case .unknown = key { continue }
      if case .window = key { continue }
      // `=` is the other half of the key `+`.
      guard byte != UInt8(ascii: "=") else { continue }
      let name = String(decoding: [byte], as: UTF8.self)
      #expect(help.split { " ,;.".contains($0) }.contains { $0 == name }, "\(name)")
    }
  }
}
