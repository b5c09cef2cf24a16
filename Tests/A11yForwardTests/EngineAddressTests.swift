// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yForward
import Testing

struct EngineAddressTests {
  @Test func `an address names the kind and the servers`() throws {
    let address = try EngineAddress("nats://one:4222,[::1]:4223")

    #expect(address.kind == .nats)
    #expect(address.servers.map(\.host) == ["one", "::1"])
    #expect(address.servers.map(\.port) == [4_222, 4_223])
    #expect("\(address)" == "nats://one:4222,[::1]:4223")
  }

  @Test(
    arguments: [
      "", "one:4222", "http://one:80", "nats://", "nats://one", "nats://one:0", "nats://one:65536",
      "redis://one:1,", "redis://:6379", "rediss://one:6379", "redis://user@host/0:6379",
    ]
  )
  func `anything else is refused`(text: String) {
    #expect(throws: EngineAddress.Mistake.self) { try EngineAddress(text) }
  }

  @Test func `a mistake names the server that is none, with an example`() {
    for (text, got) in [("nats://one:4222,two", "two"), ("nats://", "nothing")] {
      let mistake = #expect(throws: EngineAddress.Mistake.self) { try EngineAddress(text) }
      #expect(
        mistake?.words == "expected HOST:PORT, as in engine.example.org:4222; got \(got)"
      )
    }
  }

  @Test func `a cluster's answer leads to another server`() {
    let asked = EngineAddress.Server(host: "one", port: 7_000)

    let moved = RedisHop("MOVED 3999 127.0.0.1:6381", from: asked)
    #expect(moved?.server == EngineAddress.Server(host: "127.0.0.1", port: 6_381))
    #expect(moved?.isImporting == false)
    #expect(RedisHop("ASK 3999 ::1:6381", from: asked)?.server.host == "::1")
    #expect(RedisHop("ASK 3999 ::1:6381", from: asked)?.isImporting == true)
    #expect(RedisHop("MOVED 3999 :7001", from: asked)?.server.host == "one")
    #expect(RedisHop("ERR no such key", from: asked) == nil)
  }
}
