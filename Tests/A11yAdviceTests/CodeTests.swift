// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAdvice
import A11yTestKit
import A11yWire
import Testing

/// The table of all advice.
@Suite struct CodeTests {
  @Test(arguments: AdviceCode.allCases)
  func `a code is two words in small letters`(code: AdviceCode) throws {
    #expect(code.rawValue.wholeMatch(of: /[a-z]+\.[a-z-]+/) != nil)
  }

  @Test(arguments: AdviceCode.allCases)
  func `each code has its matter and a better example`(code: AdviceCode) {
    #expect(!code.summary.description.isEmpty)
    #expect(code.example.description.contains("; better "))
  }

  @Test func `codes are described as valid JSON`() throws {
    var out = ByteBuffer(capacity: 0)
    out.append("{")
    AdviceCode.writeDescription(into: &out)
    out.append("}")

    #expect(
      try JSON(out.bytes.string)["warnings"].names == Set(AdviceCode.allCases.map(\.rawValue))
    )
  }

  @Test func `a list takes no more than it has room for`() {
    var list = AdviceList(bound: 2)
    for number in 0..<5 { list.add(.textLong, "event.text", "\(number)") }

    #expect(list.all.map(\.message) == ["0", "1"])
  }

  @Test func `an empty list writes nothing`() {
    var out = ByteBuffer(capacity: 0)

    AdviceList(bound: 1).writeWarnings(into: &out)

    #expect(out.bytes.string == "")
  }
}
