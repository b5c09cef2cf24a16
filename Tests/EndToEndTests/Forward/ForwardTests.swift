// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// The log arrives in a real engine, byte for byte, whoever ends in the middle.
@Suite(.timeLimit(.minutes(hangs)), .fleet)
struct ForwardTests {
  static let kinds = EngineServer.Kind.allCases.filter { $0.obstacle == nil }

  @Test(arguments: kinds)
  func `the engine gets every line as it is on the disk`(kind: EngineServer.Kind) throws {
    let rig = try ForwardRig(kind)

    try rig.announce(700)

    try rig.expectWhole("a quiet day")
    let stored = try rig.engine.stored(ForwardRig.machine)
    #expect(Set(stored.map(\.epoch)) == [rig.daemon.ready.epoch])
    if kind == .redis {
      let began = try rig.daemon.connect().hello("a")["epochs"][0]["began"].integer ?? 0
      let ids = try stored.map { try JSON($0.line)["seq"].integer.map { "\(began / 1_000)-\($0)" } }
      #expect(stored.map(\.id) == ids)
    }
  }

  @Test(arguments: kinds)
  func `an engine that is killed in the middle has everything later`(
    kind: EngineServer.Kind
  ) throws {
    let rig = try ForwardRig(kind)
    try rig.announce(500)
    rig.engine.kill()
    try rig.announce(300)
    _ = try rig.forwarder.line(containing: "waiting for the engine")
    // The hello of each attempt would be an entry; several attempts are made in this time.
    let joined = try rig.logged().count { $0.contains(#""state":"joined","app":"a11y-forward""#) }
    _ = try? rig.forwarder.line(containing: "never said", within: .seconds(3))
    #expect(
      try rig.logged().count { $0.contains(#""state":"joined","app":"a11y-forward""#) } == joined
    )

    try rig.engine.start()

    try rig.expectWhole("after the engine's death")
  }

  @Test(arguments: kinds)
  func `a forwarder that is killed again and again loses and doubles nothing`(
    kind: EngineServer.Kind
  ) throws {
    let rig = try ForwardRig(kind)
    for round in 0..<5 {
      let before = try rig.stored().count
      try rig.announce(300, as: "org.round-\(round)")
      try waitUntil("something new") { try rig.stored().count > before }
      rig.forwarder.kill()
      try rig.startForwarder()
    }

    try rig.expectWhole("after five deaths")
  }

  @Test(arguments: kinds)
  func `a bus that is killed or stopped is followed again`(kind: EngineServer.Kind) throws {
    let rig = try ForwardRig(kind)
    try rig.announce(50)
    try rig.daemon.stop()
    try rig.daemon.start()
    try rig.announce(50)
    rig.daemon.kill()
    try rig.daemon.start()
    try rig.announce(50)

    try rig.expectWhole("after two starts of the bus")
  }

  @Test(arguments: kinds)
  func `forgotten entries leave the engine, too`(kind: EngineServer.Kind) throws {
    let rig = try ForwardRig(kind)
    try rig.announce(40, as: "org.gone")
    try rig.announce(40, as: "org.kept")
    try rig.expectWhole("before")

    try #require(try rig.forget("org.gone") ?? 0 >= 40)

    try rig.expectWhole("after forgetting")
    #expect(try rig.stored().allSatisfy { !$0.contains("org.gone 7") })
    #expect(try rig.stored().contains { $0.contains("org.kept 7") })
  }

  @Test(arguments: kinds)
  func `forgetting while the forwarder was away reaches the engine later`(
    kind: EngineServer.Kind
  ) throws {
    let rig = try ForwardRig(kind)
    try rig.announce(40, as: "org.gone")
    try rig.expectWhole("before")
    rig.forwarder.kill()
    try rig.forget("org.gone")
    try rig.announce(3)

    try rig.startForwarder()

    try rig.expectWhole("after a forgetting that was missed")
  }

  @Test(arguments: kinds)
  func `entries that retention took before they were sent are a declared gap`(
    kind: EngineServer.Kind
  ) throws {
    let rig = try ForwardRig(
      kind,
      config: "[log]\nsegment_bytes = 65536\nretain_bytes = 262144\n"
    )
    try rig.announce(10)
    try rig.expectWhole("before")
    rig.forwarder.kill()
    try rig.announce(3_000)
    try waitUntil("retention") { try rig.logged().first?.hasPrefix("{\"seq\":1,") == false }

    try rig.startForwarder()

    let first = try #require(try JSON(rig.logged()[0])["seq"].integer)
    try waitUntil("the last entry") { try rig.stored().last == rig.logged().last }
    let stored = try rig.stored()
    let gaps = try stored.filter { $0.hasPrefix("{\"mark\":\"gap\"") }.map { try JSON($0) }
    let seqs = try stored.compactMap { try JSON($0)["seq"].integer }
    #expect(Set(seqs).count == seqs.count)
    #expect(gaps.count == 1)
    let lost = try #require(gaps.first?["from"].integer)...(try #require(gaps.first?["to"].integer))
    #expect(gaps.first?["reason"] == "retention")
    #expect(lost.upperBound + 1 >= first)
    #expect(seqs == Array(1..<lost.lowerBound) + Array(lost.upperBound + 1...(seqs.last ?? 0)))
  }
}
