// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Systemd
import Testing

@Suite struct ListenSocketsTests {
  @Test func `without a manager there are none`() throws {
    #expect(try ListenSockets.take() == [])
  }

  /// What a process says that takes the sockets over.
  private func taken(_ numbers: [Int32], names: String) throws -> String {
    let process = try DaemonProcess(
      own: "sockets",
      environment: ["LISTEN_FDS": "\(numbers.count)", "LISTEN_FDNAMES": names],
      inherited: numbers
    )
    #expect(try process.end() == .exited(0))
    return process.said
  }

  @Test func `sockets come by name, once, and can be served`() throws {
    let scratch = try ScratchDirectory()
    let listeners = try ["publish", "read"].map { try UnixListener(path: scratch($0), mode: 0o600) }
    let said = try taken(listeners.map { $0.descriptor.number }, names: "publish:read")
    #expect(said == "publish 3\nread 4\n0 more\n")
  }

  @Test func `a socket that does not listen is refused by its name`() throws {
    let pair = try UnixStream.pair()
    let said = try taken([pair.first.number], names: "publish")
    #expect(said == "inherited socket \"publish\" is no listening Unix stream socket\n")
    withExtendedLifetime(pair.second.number) {}
  }
}
