// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// A real Redis cluster, whose servers die, hang and hand over while a log goes there.
@Suite(.serialized, .timeLimit(.minutes(hangs)), .fleet, .redis)
struct FleetClusterTests {
  @Test func `the log finds the owner of its slot from any server, and back`() throws {
    let cluster = try RedisCluster()
    for seed in 0..<3 {
      let rig = try ClusterRig(cluster, machine: "m-\(seed)", seeds: [seed])
      try rig.announce(300)

      try rig.expectWhole("a quiet day")

      let slot = try #require(Int(cluster.slot(of: rig.machine)))
      #expect(try rig.owner() == slot * 3 / 16_384)
      let cat = Command(
        SpeechTools.built("a11yctl"),
        ["fleet", "cat", rig.machine, "--json", "--from", cluster.address([2 - seed])]
      )
      #expect(try cat.output() == rig.logged().joined(separator: "\n"))
    }
    let machines = Command(
      SpeechTools.built("a11yctl"),
      ["fleet", "machines", "--from", cluster.address([0])]
    )
    #expect(try machines.output().hasSuffix("\n3 machines."))
  }

  @Test func `an owner that dies has its replica follow within ten seconds, twice`() throws {
    let rig = try ClusterRig()
    for round in 1...2 {
      try rig.announce(200, as: "org.before-\(round)")
      try rig.expectWhole("before death \(round)")
      let owner = try rig.owner()
      rig.cluster.kill(owner)
      try rig.announce(100, as: "org.after-\(round)")

      try rig.expectWhole("behind death \(round)", within: .seconds(10))

      #expect(try rig.owner() != owner)
      try rig.cluster.start(owner)
      try rig.cluster.waitUntilWhole()
      #expect(try rig.cluster.talk(owner).order("ROLE").list.first?.text == "slave")
    }
  }

  /// Has the owner take entries that its replica never gets.
  private func aheadOfReplica(_ rig: ClusterRig) throws -> (owner: Int, replica: Int) {
    try rig.announce(50, as: "org.before")
    try rig.expectWhole("before")
    let owner = try rig.owner()
    let replica = try rig.cluster.replica(of: owner)
    try rig.cluster.sever(replica, from: owner)
    try rig.announce(50, as: "org.lost")
    try rig.expectWhole("what the replica has not")
    return (owner, replica)
  }

  @Test func `entries that a new owner never had are sent again`() throws {
    let rig = try ClusterRig()
    let (owner, replica) = try aheadOfReplica(rig)

    rig.cluster.kill(owner)
    rig.cluster.wake(replica)

    #expect(try rig.cluster.waitForOwner(of: rig.machine, otherThan: owner) == replica)
    try rig.expectWhole("behind the death of the one that had it")
    #expect(try rig.stored().contains { $0.contains("org.lost 49") })
  }

  @Test(arguments: [true, false])
  func `an owner that hangs and comes back as a replica leaves no hole`(isBusy: Bool) throws {
    let rig = try ClusterRig()
    let (owner, replica) = try aheadOfReplica(rig)

    rig.cluster.stop(owner)
    rig.cluster.wake(replica)
    _ = try rig.cluster.waitForOwner(of: rig.machine, otherThan: owner)
    rig.cluster.wake(owner)
    try rig.cluster.waitUntilWhole()
    if isBusy { try rig.announce(50, as: "org.after") }

    try rig.expectWhole("on a connection that has lived through it")
  }

  @Test func `a slot moves under way`() throws {
    let rig = try ClusterRig()
    let cluster = rig.cluster
    let slot = try cluster.slot(of: rig.machine)
    let from = try rig.owner()
    let to = (from + 1) % 3
    try rig.announce(100, as: "org.one")
    try rig.expectWhole("before")

    try cluster.beginMove(of: slot, from: from, to: to)
    try rig.announce(100, as: "org.two")
    try rig.expectWhole("while it has not moved yet")
    try cluster.moveKeys(of: slot, from: from, to: to)
    try rig.announce(100, as: "org.three")
    try waitUntil("an entry by the way that is asked for") {
      _ = try cluster.talk(to).order("ASKING")
      let count = try cluster.talk(to).order("XLEN", RedisTalk.key(rig.machine)).text
      return try Int(count) == rig.logged().count
    }
    try rig.restartForwarder()
    try rig.announce(100, as: "org.four")
    try waitUntil("an entry of the next forwarder") {
      _ = try cluster.talk(to).order("ASKING")
      let count = try cluster.talk(to).order("XLEN", RedisTalk.key(rig.machine)).text
      return try Int(count) == rig.logged().count
    }
    try cluster.endMove(of: slot, to: to)
    try rig.announce(100, as: "org.five")

    try rig.expectWhole("behind the move")
    #expect(try rig.owner() == to)
  }

  @Test func `a replica that does not confirm is told, and nothing waits for it`() throws {
    let rig = try ClusterRig(settings: "replicas = 1")
    try rig.announce(50)
    try rig.expectWhole("with a replica")
    let owner = try rig.owner()
    let replica = try rig.cluster.replica(of: owner)
    rig.cluster.stop(replica)
    try rig.announce(600, as: "org.alone")

    _ = try rig.forwarder.line(containing: "fewer than 1 replicas have confirmed")
    try rig.expectWhole("without a replica")

    rig.cluster.wake(replica)
    try rig.cluster.waitUntilWhole()
    try rig.announce(50, as: "org.again")
    try rig.expectWhole("with a replica again")
  }

  @Test func `all servers are killed and started again`() throws {
    let rig = try ClusterRig()
    try rig.announce(200)
    try rig.expectWhole("before")
    for place in rig.cluster.nodes.indices { rig.cluster.kill(place) }
    try rig.announce(200, as: "org.meanwhile")
    _ = try rig.forwarder.line(containing: "waiting for the engine")

    for place in rig.cluster.nodes.indices { try rig.cluster.start(place) }

    try rig.expectWhole("behind the night")
  }

  @Test func `a slot without a server is told, and waited for`() throws {
    let rig = try ClusterRig()
    try rig.announce(100)
    try rig.expectWhole("before")
    let owner = try rig.owner()
    let lost = [try rig.cluster.replica(of: owner), owner]
    for place in lost { rig.cluster.kill(place) }
    try rig.announce(100, as: "org.meanwhile")

    _ = try rig.forwarder.line(containing: "CLUSTERDOWN")

    for place in lost { try rig.cluster.start(place) }
    try rig.expectWhole("with the slot again")
  }

  @Test func `an owner without memory takes nothing, and all once it has some`() throws {
    let rig = try ClusterRig()
    try rig.announce(100)
    try rig.expectWhole("before")
    let owner = try rig.cluster.talk(rig.owner())
    try owner.order("CONFIG", "SET", "maxmemory", "1")
    let before = try rig.stored()
    try rig.announce(300, as: "org.meanwhile")

    _ = try rig.forwarder.line(containing: "OOM command not allowed")

    #expect(try rig.stored() == before)
    try owner.order("CONFIG", "SET", "maxmemory", "0")
    try rig.expectWhole("with memory again")
  }

  @Test func `the rights that the guide names are enough, and less is told`() throws {
    let cluster = try RedisCluster(password: "s3")
    let rights = ["eval", "xadd", "xinfo", "xrange", "xdel", "set", "wait", "asking"]
    let keys = ["~a11yd:{m-1}:log", "~a11yd:{m-1}:alive"]
    for place in cluster.nodes.indices {
      let words = ["ACL", "SETUSER", "desk", "on", ">s4"] + keys
      _ = try cluster.talk(place).ask(words + rights.map { "+\($0)" })
    }
    let rig = try ClusterRig(
      cluster,
      settings: "user = \"desk\"\npassword = \"s4\"\nreplicas = 1"
    )
    let slot = try cluster.slot(of: rig.machine)
    let from = try rig.owner()
    let to = (from + 1) % 3
    try rig.announce(60, as: "org.gone")
    try rig.expectWhole("before")

    _ = try rig.daemon.connect().ask(#"{"id":1,"op":"forget","apps":["org.gone"]}"#)
    try rig.expectWhole("forgetting")
    try cluster.beginMove(of: slot, from: from, to: to)
    try cluster.moveKeys(of: slot, from: from, to: to, password: "s3")
    try rig.announce(60, as: "org.moved")
    try rig.announce(1, as: "org.last")
    try cluster.endMove(of: slot, to: to)
    try rig.expectWhole("a slot that moved")

    #expect(!rig.forwarder.said.contains("NOPERM"))
    let stranger = try ClusterRig(cluster)
    _ = try stranger.forwarder.line(containing: "it expects a password")
    let poor = try ClusterRig(cluster, settings: "user = \"desk\"\npassword = \"s5\"")
    _ = try poor.forwarder.line(containing: "it refuses the user or the password")
  }
}

extension Trait where Self == ConditionTrait {
  /// A test with a real Redis.
  static var redis: Self {
    .disabled(
      if: EngineServer.Kind.redis.obstacle != nil,
      "\(EngineServer.Kind.redis.obstacle ?? "")"
    )
  }
}
