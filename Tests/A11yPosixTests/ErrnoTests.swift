// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Testing

@Suite struct ErrnoTests {
  @Test(arguments: [
    (Errno.noSpace, "No space left on device (ENOSPC)"),
    (.noSuchFile, "No such file or directory (ENOENT)"),
    (.addressInUse, "Address already in use (EADDRINUSE)"),
    (.wouldBlock, "Resource temporarily unavailable (EAGAIN)"),
    (.brokenPipe, "Broken pipe (EPIPE)"),
    (Errno(rawValue: 4095), "Unknown error 4095"),
  ])
  func `an error describes itself to people and to search engines`(error: Errno, text: String) {
    #expect(error.description == text)
  }

  @Test func `a negative result is an error and any other is itself`() throws {
    #expect(throws: Errno.permissionDenied) { try Errno.check(-13) }
    #expect(try Errno.check(7) == 7)
  }
}
