// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yHttp
import A11yPosix
import Foundation
import Testing

@testable import a11yctl

/// The server of one page, at times that are numbers.
@Suite struct PageServerTests {
  private let server: PageServer
  private let page = PageServer.Page(version: "\"1\"", nonce: "n") { Array("page".utf8) }

  init() throws { server = try PageServer(endedBy: nil) }

  /// A connection to the server.
  private func connect() throws -> FileDescriptor {
    let port = try #require(
      UInt16(server.address.split(separator: "/")[1].split(separator: ":")[1])
    )
    let number = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let descriptor = FileDescriptor(adopting: number)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let result = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        Foundation.connect(number, address, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(result == 0)
    return descriptor
  }

  private func received(_ descriptor: borrowing FileDescriptor) -> UnixStream.Received {
    var room = [UInt8](repeating: 0, count: 4_096)
    return room.withUnsafeMutableBytes { descriptor.receive(into: $0) }
  }

  @Test func `a connection that asks for nothing is closed when its time is over`() throws {
    let silent = try connect()
    #expect(server.attend(page, now: 0))
    #expect(server.attend(page, now: HttpReception.patience - 1))
    #expect(received(silent) == .wouldBlock)

    #expect(server.attend(page, now: HttpReception.patience))
    #expect(received(silent) == .ended)
  }

  @Test func `the page is written only for those who may see it`() throws {
    let stranger = try connect()
    _ = stranger.send(Array("GET / HTTP/1.1\r\n\r\n".utf8).span)
    let unwritten = PageServer.Page(version: "\"1\"", nonce: "n") {
      Issue.record("the page was made")
      return []
    }
    #expect(server.attend(unwritten, now: 0))
    #expect(received(stranger) != .wouldBlock)
  }

  @Test func `each server has an address of its own`() throws {
    #expect(try PageServer(endedBy: nil).address != server.address)
    #expect(server.address.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\//) != nil)
  }
}
