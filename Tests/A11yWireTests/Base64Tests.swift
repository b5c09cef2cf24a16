// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire
import Testing

struct Base64Tests {
  @Test(arguments: [
    ("", []), ("AP+qZg==", [0, 255, 170, 102]), ("TkFU", Array("NAT".utf8)), ("/+8=", [255, 239]),
  ])
  func `bytes go into base 64 and come out as they were`(text: String, bytes: [UInt8]) {
    #expect(Base64.encode(bytes) == text)
    #expect(Base64.decode(text) == bytes)
  }

  @Test(arguments: ["A", "AAA", "A===", "AA=A", "AA!A", "====="])
  func `other texts are no bytes`(text: String) {
    #expect(Base64.decode(text) == nil)
  }
}
