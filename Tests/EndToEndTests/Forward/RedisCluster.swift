// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation

/// A Redis cluster of three owners of slots and three replicas, for as long as this object lives.
///
/// Its servers are named by their places; the first three are owners at the beginning.
final class RedisCluster {
  let nodes: [EngineServer]
  /// The links by which all reach the servers, the replicas their owners, too; none if not wanted.
  private let links: [EngineLink]
  private let password: String?
  private var ids: [String] = []
  private var talks: [Int: RedisTalk] = [:]
  /// The servers that neither run nor answer.
  private var silent: Set<Int> = []
  /// The times that an owner was struck.
  private var strikes = 0

  private static let owners = 3
  private static let slots = 16_384

  /// The servers, as an address of an engine.
  var address: String { address(nodes.indices.map { $0 }) }

  /// Milliseconds after which a silent server counts as dead.
  private static let patience = 2_000

  init(password: String? = nil, isLinked: Bool = false) throws {
    self.password = password
    let ports = try (0..<2 * Self.owners).map { _ in try EngineSocket.freePort() }
    links = isLinked ? try ports.map { try EngineLink(to: $0) } : []
    var settings = [
      "--cluster-enabled", "yes", "--cluster-node-timeout", "\(Self.patience)",
      "--cluster-replica-validity-factor", "0", "--appendfsync", "everysec",
      "--repl-diskless-sync-delay", "0", "--save", "",
    ]
    if let password { settings += ["--requirepass", password, "--masterauth", password] }
    var nodes: [EngineServer] = []
    for (place, port) in ports.enumerated() {
      let bus = try EngineSocket.freePort()
      let told = isLinked ? ["--cluster-announce-port", "\(links[place].port)"] : []
      let words = settings + ["--cluster-port", "\(bus)"] + told
      nodes.append(try EngineServer(.redis, words, port: port))
    }
    self.nodes = nodes
    try introduce()
    try waitUntilWhole()
  }

  /// Some of the servers, as an address of an engine.
  func address(_ places: [Int]) -> String {
    "redis://" + places.map { "127.0.0.1:\(nodes[$0].port)" }.joined(separator: ",")
  }

  private func introduce() throws {
    for place in nodes.indices {
      let talk = try talk(place)
      try talk.order("CONFIG", "SET", "loglevel", "warning")
      ids.append(try talk.order("CLUSTER", "MYID").text)
      try talk.order("CLUSTER", "SET-CONFIG-EPOCH", "\(place + 1)")
      if place < Self.owners {
        let first = Self.slots * place / Self.owners
        let last = Self.slots * (place + 1) / Self.owners - 1
        try talk.order("CLUSTER", "ADDSLOTSRANGE", "\(first)", "\(last)")
      }
    }
    for node in nodes.dropFirst() {
      let bus = try RedisTalk(port: node.port, password: password)
        .order("CONFIG", "GET", "cluster-port").list[1].text
      try talk(0).order("CLUSTER", "MEET", "127.0.0.1", "\(node.port)", bus)
    }
    try waitUntil("acquaintance") {
      try nodes.indices.allSatisfy { place in
        let known = try talk(place).order("CLUSTER", "NODES").text
        return ids.allSatisfy(known.contains) && !known.contains("handshake")
      }
    }
    for place in 0..<Self.owners {
      try talk(place + Self.owners).order("CLUSTER", "REPLICATE", ids[place])
    }
  }

  /// Waits until all servers run and agree, and all replicas follow.
  func waitUntilWhole() throws {
    try waitUntil("a whole cluster") {
      try nodes.indices.allSatisfy { place in
        let facts = try talk(place).order("CLUSTER", "INFO").text
        let roles = try talk(place).order("CLUSTER", "NODES").text
        let following = try talk(place).order("INFO", "replication").text
        return facts.contains("cluster_state:ok") && !roles.contains("fail")
          && (following.contains("role:master")
            ? following.contains("connected_slaves:1")
            : following.contains("master_link_status:up"))
      }
    }
  }

  // MARK: Servers

  /// A conversation with the server at a place.
  func talk(_ place: Int) throws -> RedisTalk {
    if let talk = talks[place] { return talk }
    let talk = try RedisTalk(port: nodes[place].port, password: password)
    talks[place] = talk
    return talk
  }

  func kill(_ place: Int) {
    talks[place] = nil
    silent.insert(place)
    nodes[place].kill()
  }

  func start(_ place: Int) throws {
    try nodes[place].start()
    silent.remove(place)
    // Nobody empties the pipe of a server that lives for long.
    try talk(place).order("CONFIG", "SET", "loglevel", "warning")
  }

  /// Has a server do nothing until it is woken.
  func stop(_ place: Int) {
    silent.insert(place)
    nodes[place].process.send(SIGSTOP)
  }

  func wake(_ place: Int) {
    nodes[place].process.send(SIGCONT)
    silent.remove(place)
  }

  // MARK: Places of machines

  func slot(of machine: String) throws -> String {
    let place = nodes.indices.first { !silent.contains($0) } ?? 0
    return try talk(place).order("CLUSTER", "KEYSLOT", RedisTalk.key(machine)).text
  }

  /// The server that answers for a machine; nil where none does.
  func owner(of machine: String) throws -> Int? {
    try nodes.indices.first { place in
      guard !silent.contains(place) else { return false }
      guard case .text = try talk(place).ask(["XLEN", RedisTalk.key(machine)]) else { return false }
      return try talk(place).order("ROLE").list.first?.text == "master"
    }
  }

  /// The replica of an owner.
  func replica(of owner: Int) throws -> Int {
    let following = try talk(owner).order("INFO", "replication").text
    let place = nodes.indices.first { following.contains("port=\(nodes[$0].port),") }
    guard let place else { throw Missing("a replica in \(following)") }
    return place
  }

  /// Has a replica follow no longer, and its owner not know of that; the replica does nothing.
  ///
  /// Bytes on their way would still reach a replica that only does nothing.
  func sever(_ replica: Int, from owner: Int) throws {
    stop(replica)
    try talk(owner).order("CLIENT", "KILL", "TYPE", "replica")
  }

  func waitForOwner(of machine: String, otherThan old: Int? = nil) throws -> Int {
    var found: Int?
    try waitUntil("an owner") {
      found = try owner(of: machine)
      return found != nil && found != old
    }
    guard let found else { throw Missing("an owner") }
    return found
  }

  // MARK: Moving a slot

  /// Announces to both owners that a slot will move.
  func beginMove(of slot: String, from: Int, to: Int) throws {
    try talk(to).order("CLUSTER", "SETSLOT", slot, "IMPORTING", ids[from])
    try talk(from).order("CLUSTER", "SETSLOT", slot, "MIGRATING", ids[to])
  }

  /// Moves all keys of a slot, which are the log and the sign of life of a machine.
  func moveKeys(of slot: String, from: Int, to: Int, password: String? = nil) throws {
    let keys = try talk(from).order("CLUSTER", "GETKEYSINSLOT", slot, "16").list.map(\.text)
    let secret = password.map { ["AUTH", $0] } ?? []
    try talk(from).order(
      ["MIGRATE", "127.0.0.1", "\(nodes[to].port)", "", "0", "5000"] + secret + ["KEYS"] + keys
    )
  }

  func endMove(of slot: String, to: Int) throws {
    for place in [to] + (0..<Self.owners).filter({ $0 != to }) {
      try talk(place).order("CLUSTER", "SETSLOT", slot, "NODE", ids[to])
    }
  }
}

extension RedisCluster: FleetEngine {
  var kind: EngineServer.Kind { .redis }
  var settings: String { "[redis]\nreplicas = 1\n" }
  var hasSpares: Bool { true }

  /// The links are those of all machines: a server has one address, under which the others send
  /// clients there.
  func makeLinks() throws -> [EngineLink] { links }

  /// Has the owner of a machine's slot die or, each second time, hang.
  func killLeader(of machine: String) throws -> Int {
    let owner = try waitForOwner(of: machine)
    strikes += 1
    if strikes.isMultiple(of: 2) { stop(owner) } else { kill(owner) }
    return owner
  }

  func restart(_ place: Int) throws {
    if strikes.isMultiple(of: 2) { wake(place) } else { try start(place) }
  }

  func newest(_ machine: String) throws -> String? { try talkToOwner(of: machine).newest(machine) }

  func stored(_ machine: String) throws -> [EngineServer.Stored] {
    try talkToOwner(of: machine).stored(machine)
  }

  private func talkToOwner(of machine: String) throws -> RedisTalk {
    guard let owner = try owner(of: machine) else { throw Missing("an owner of \(machine)") }
    return try talk(owner)
  }
}
