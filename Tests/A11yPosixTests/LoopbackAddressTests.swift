// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Testing

@Suite struct LoopbackAddressTests {
  @Test(arguments: ["127.0.0.1:9464", "127.1.2.3:1", "127.255.255.255:65535", "[::1]:9464"])
  func `an address of the loopback is read and written the same`(text: String) {
    #expect(LoopbackAddress(text)?.description == text)
  }

  @Test(arguments: [
    "", ":", "9464", ":9464", "127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536",
    "127.0.0.1:-1", "127.0.0.1:+1", "127.0.0.1: 1", "127.0.0.1:1 ", "127.0.0:1", "127.1:1",
    "127.0.0.256:1", "127.0.0.01:1", "127.0.0.1.1:1", "127..0.1:1", "0.0.0.0:9464", "*:9464",
    "192.168.0.1:9464", "128.0.0.1:9464", "localhost:9464", "::1:9464", "[::]:9464", "[::2]:9464",
    "[::ffff:127.0.0.1]:9464", "127.0.0.1:٤", "http://127.0.0.1:9464", "127.0.0.1:9464/metrics",
  ])
  func `all others are none`(text: String) {
    #expect(LoopbackAddress(text) == nil)
  }
}
