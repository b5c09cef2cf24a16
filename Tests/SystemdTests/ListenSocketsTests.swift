// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Foundation
import Systemd
import Testing

@Suite struct ListenSocketsTests {
  @Test func `without a manager there are none`() throws {
    #expect(try ListenSockets.take() == [])
  }

  @Test func `sockets come by name, once, and can be served`() async {
    await #expect(processExitsWith: .success) {
      let directory = "/tmp/a11y-\(UUID().uuidString.prefix(13))"
      try Directory.create(directory, mode: 0o700)
      let publish = try UnixListener(path: "\(directory)/publish", mode: 0o600)
      let read = try UnixListener(path: "\(directory)/read", mode: 0o600)
      announce([publish.descriptor.number, read.descriptor.number], names: "publish:read")

      let sockets = try ListenSockets.take()
      let again = try ListenSockets.take()

      check(sockets.map(\.name) == ["publish", "read"])
      check(sockets.map(\.number) == [3, 4])
      check(again == [])
      let heir = try UnixListener(adopting: FileDescriptor(adopting: 4))
      let client = try UnixStream.connect(path: "\(directory)/read")
      guard case .connection(let served) = heir.accept() else { return check(false) }
      withExtendedLifetime((client.number, served.number, publish, read)) {}
      try FileManager.default.removeItem(atPath: directory)
      exit(0)
    }
  }

  @Test func `a socket that does not listen is refused by its name`() async {
    await #expect(processExitsWith: .success) {
      let pair = try UnixStream.pair()
      announce([pair.first.number], names: "publish")

      do throws(ListenSockets.Fault) {
        _ = try ListenSockets.take()
        check(false)
      } catch {
        check(error == .notListening(name: "publish"))
      }
      withExtendedLifetime(pair.second.number) {}
      exit(0)
    }
  }
}

/// Does to this process what the manager does before it starts a service.
///
/// The numbers from 3 on may belong to the test runner: the process has to end by itself after
/// this.
private func announce(_ numbers: [Int32], names: String) {
  let parked = numbers.map { fcntl($0, F_DUPFD, 100) }
  for (index, number) in parked.enumerated() { dup2(number, 3 + Int32(index)) }
  setenv("LISTEN_PID", "\(getpid())", 1)
  setenv("LISTEN_FDS", "\(numbers.count)", 1)
  setenv("LISTEN_FDNAMES", names, 1)
}

/// Fails by the exit status, because the way to report an expectation may be closed.
private func check(_ condition: Bool, line: Int = #line) {
  guard !condition else { return }
  StandardError.write("line \(line) does not hold\n")
  exit(1)
}
