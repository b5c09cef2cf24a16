// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire
import Testing

struct SocketPathTests {
  @Test(arguments: [
    (["A11YD_SOCKET": "/a/b", "XDG_RUNTIME_DIR": "/run/user/7"], "/a/b"),
    (["XDG_RUNTIME_DIR": "/run/user/7"], "/run/user/7/a11yd/bus.sock"),
    (["XDG_RUNTIME_DIR": "/run/user/7/"], "/run/user/7/a11yd/bus.sock"),
    (["A11YD_SOCKET": "", "XDG_RUNTIME_DIR": ""], "/run/a11yd/bus.sock"),
    (["XDG_RUNTIME_DIR": "run"], "/run/a11yd/bus.sock"),
    ([:], "/run/a11yd/bus.sock"),
  ])
  func `the environment names the socket`(environment: [String: String], path: String) {
    #expect(SocketPath.find { environment[$0] } == path)
  }
}
