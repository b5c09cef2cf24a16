// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// The rights of the page, with real servers: they are enough for a machine, and too little for a
/// neighbour.
@Suite(.timeLimit(.minutes(hangs)), .fleet)
struct RightsTests {
  static let programs = [EngineServer.debianNats, NatsCluster.program].filter {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(arguments: programs)
  func `a machine does all it has to with its own rights`(program: String) throws {
    let rig = try ConfinedRig(.nats, program: program)
    try rig.announce(300, as: "org.kept")
    try rig.announce(40, as: "org.gone")
    try rig.expectWhole("at the start")
    try waitUntil("a sign of life") { try rig.fleet("machines").output.contains("sign of life, ") }

    try rig.forget("org.gone")
    try rig.expectWhole("after forgetting")
    #expect(try !rig.read().contains("org.gone 7") && rig.read().contains("org.kept 7"))

    rig.forwarder.kill()
    rig.killTender()
    try rig.announce(20, as: "org.late")
    try rig.startForwarder()
    try rig.expectWhole("as a forwarder that goes on")
    try rig.forget("org.late")
    _ = try rig.forwarder.line(containing: "removed by a11y-forward --tend")
    try rig.startTender()
    try rig.expectWhole("after forgetting without the tender, which came later")
    rig.killTender()
    try rig.startTender()
    try rig.announce(1)
    try rig.expectWhole("with a tender that has nothing left to do")
    // The server tells whom it has refused what; the machine alone has tried to remove entries.
    _ = try? rig.engine.process.line(containing: "never said", within: .milliseconds(500))
    #expect(!rig.engine.process.said.contains(#"User "tend""#), "\(rig.engine.process.said)")
    #expect(!rig.engine.process.said.contains(#"User "reader""#), "\(rig.engine.process.said)")
  }

  @Test(arguments: programs)
  func `retention is a declared gap with these rights, too`(program: String) throws {
    let rig = try ConfinedRig(
      .nats,
      program: program,
      config: "[log]\nsegment_bytes = 65536\nretain_bytes = 262144\n"
    )
    try rig.announce(10)
    try rig.expectWhole("before")
    rig.forwarder.kill()
    try rig.announce(3_000)
    try waitUntil("retention") { try rig.logged().first?.hasPrefix("{\"seq\":1,") == false }
    try rig.startForwarder()
    try waitUntil("the last entry") {
      try rig.read().split(separator: "\n").last.map(String.init) == rig.logged().last
    }
    #expect(try rig.read().contains(#"{"mark":"gap""#))
  }

  @Test(arguments: programs)
  func `a neighbour is refused whatever reaches another machine`(program: String) throws {
    let rig = try ConfinedRig(.nats, program: program)
    try rig.announce(30)
    try rig.expectWhole("before")
    rig.forwarder.kill()
    let (log, neighbour) = (try rig.read(), try NatsNeighbour(rig.engine.port))

    for (subject, body) in [
      ("a11yd.counter-7.log", "x"), ("a11yd-alive.counter-7", "x"), ("a11yd.counter-8.x", "x"),
      ("$JS.API.DIRECT.GET.A11YD.a11yd.counter-7.log", ""),
      ("$JS.API.DIRECT.GET.A11YD", #"{"seq":1}"#),
      ("$JS.API.STREAM.MSG.GET.A11YD", #"{"seq":1}"#),
      ("$JS.API.STREAM.MSG.DELETE.A11YD", #"{"seq":1}"#), ("$JS.API.STREAM.PURGE.A11YD", ""),
      ("$JS.API.STREAM.DELETE.A11YD", ""), ("$JS.API.STREAM.UPDATE.A11YD", "{}"),
      ("$JS.API.STREAM.INFO.A11YD", ""), ("$JS.API.STREAM.CREATE.X", "{}"),
      ("$JS.API.STREAM.SNAPSHOT.A11YD", "{}"), ("$JS.API.CONSUMER.CREATE.A11YD", "{}"),
      ("$JS.API.CONSUMER.CREATE.A11YD.a.>", "{}"),
      ("$JS.API.CONSUMER.DURABLE.CREATE.A11YD.a11yd-tend", "{}"),
      ("$JS.API.CONSUMER.DELETE.A11YD.a11yd-tend", ""),
      ("$JS.API.CONSUMER.MSG.NEXT.A11YD.a11yd-tend", ""), ("$JS.ACK.A11YD.a11yd-tend.1", "+ACK"),
      ("$JS.API.STREAM.MSG.GET.A11YD-ALIVE", #"{"seq":1}"#), ("$JS.API.INFO", ""),
      ("_INBOX.counter-7.x", "x"), ("$SYS.REQ.SERVER.PING", ""),
    ] {
      let answer = try neighbour.publish(subject, body)
      #expect(answer.contains("-ERR 'Permissions Violation for Publish to"), "\(subject) \(answer)")
    }
    for subject in [
      "_INBOX.>", "_INBOX.counter-7.>", "_INBOX.*.*.*", "_INBOX.a11yd-fleet.>", "a11yd.>", ">",
      "a11yd.counter-7.log", "a11yd-alive.*", "$JS.>", "$JS.ACK.>", "_R_.>", "$SYS.>",
    ] {
      let answer = try neighbour.subscribe(subject)
      #expect(answer.contains("-ERR 'Permissions Violation for Subscription"), "\(subject)")
    }
    #expect(try rig.read() == log)
  }

  /// A server answers to the place that a question names, on behalf of whoever asked.
  @Test(arguments: programs)
  func `a neighbour has no answer sent where it may not publish`(program: String) throws {
    let rig = try ConfinedRig(.nats, program: program)
    try rig.announce(30)
    try rig.expectWhole("before")
    rig.forwarder.kill()
    let (log, neighbour) = (try rig.read(), try NatsNeighbour(rig.engine.port))
    let newest = "$JS.API.DIRECT.GET.A11YD.a11yd.counter-8.log"
    let own = "a11yd.counter-8.log"

    for body in [#"{"seq":1}"#, #"{"name":"A11YD"}"#] {
      _ = try neighbour.publish(own, body)
      for place in [
        "$JS.API.STREAM.MSG.DELETE.A11YD", "$JS.API.STREAM.PURGE.A11YD",
        "$JS.API.STREAM.DELETE.A11YD", "a11yd.counter-7.log", "a11yd-alive.counter-7",
      ] {
        _ = try neighbour.publish(newest, reply: place)
        _ = try neighbour.publish(own, body, reply: place)
      }
    }
    // Neither a body nor a header makes more of a question that is allowed.
    for body in [#"{"seq":1}"#, #"{"last_by_subj":"a11yd.counter-7.log"}"#] {
      _ = try neighbour.publish(newest, body)
    }
    for header in ["Nats-Rollup: all", "Nats-Rollup: sub"] {
      _ = try neighbour.publish(own, "x", header: header)
    }
    try waitUntil("the neighbour's own entry") {
      let answer = try neighbour.publish(newest) + neighbour.later()
      #expect(!answer.contains("org.x"))
      return answer.contains("Nats-Sequence: ")
    }
    #expect(try rig.read() == log)
    #expect(try rig.fleet("cat", "counter-8", "--json").output.contains("\"seq\":1"))
  }

  @Test(arguments: programs)
  func `a neighbour has its own entries forgotten, and no others`(program: String) throws {
    let rig = try ConfinedRig(.nats, program: program)
    try rig.announce(30)
    try rig.expectWhole("before")
    rig.forwarder.kill()
    let (log, neighbour) = (try rig.read(), try NatsNeighbour(rig.engine.port))
    let epoch = rig.daemon.ready.epoch
    for seq in 1...3 {
      _ = try neighbour.publish(
        "a11yd.counter-8.log",
        #"{"seq":\#(seq),"its":"own"}"#,
        header: "A11yd-Epoch: \(epoch)"
      )
    }

    _ = try neighbour.publish(
      "a11yd.counter-8.log",
      #"{"seq":4,"event":{"type":"forgot","ranges":[[1,3000]]}}"#,
      header: "A11yd-Epoch: \(epoch)\r\nA11yd-Epochs: \(epoch):1"
    )

    try waitUntil("forgetting; \(rig.tender?.said ?? "")") {
      try rig.fleet("cat", "counter-8", "--json").output.contains("\"its\"") == false
    }
    #expect(try rig.read() == log)
  }

  @Test(
    arguments: [
      (#""a11yd.counter-7.log", "#, "publish to a11yd.counter-7.log"),
      (
        #""$JS.API.DIRECT.GET.A11YD.a11yd.counter-7.log""#,
        "publish to $JS.API.DIRECT.GET.A11YD.a11yd.counter-7.log"
      ),
      (#"_INBOX.counter-7.>"#, "subscribe to _INBOX.counter-7.>"),
    ]
  )
  func `a right that is missing is named, again and again in the same words`(
    missing: String,
    words: String
  ) throws {
    for program in Self.programs {
      let rig = try ConfinedRig(.nats, program: program) { text in
        // A list without a subject allows nothing, and an inbox of another name not this one.
        text.replacing(missing, with: missing.hasPrefix("_") ? "_INBOX.x.>" : "")
      }
      let sentence = "the right to \(words) is missing"
      _ = try rig.forwarder.line(
        containing: "waiting for the engine at \(rig.engine.address): \(sentence)"
      )
      let entries = try rig.logged().count
      _ = try? rig.forwarder.line(containing: "never said", within: .seconds(8))

      let told = rig.forwarder.said.split(separator: "\n").filter { $0.contains("engine") }
      #expect(told.count == 1, "\(rig.forwarder.said)")
      // The bus is not bothered meanwhile.
      #expect(try rig.logged().count == entries)
    }
  }

  @Test(arguments: programs)
  func `a sign of life that is forbidden is told, and entries go on`(program: String) throws {
    let rig = try ConfinedRig(.nats, program: program) { text in
      text.replacing(#", "a11yd-alive.counter-7""#, with: "")
    }
    _ = try rig.forwarder.line(
      containing: "no signs of life of this machine: the right to publish to "
        + "a11yd-alive.counter-7 is missing"
    )
    try rig.announce(20)
    try rig.expectWhole("without signs")
  }

  @Test func `the rights of the page are enough in Redis, and too little for a neighbour`() throws {
    let rig = try ConfinedRig(.redis)
    try rig.announce(100, as: "org.kept")
    try rig.announce(40, as: "org.gone")
    try rig.expectWhole("at the start")
    try waitUntil("a sign of life") { try rig.fleet("machines").output.contains("sign of life, ") }
    try rig.forget("org.gone")
    try rig.expectWhole("after forgetting")
    rig.forwarder.kill()
    try rig.announce(10)
    try rig.startForwarder()
    try rig.expectWhole("as a forwarder that goes on")

    let log = try rig.read()
    let (key, own) = (RedisTalk.key("counter-7"), RedisTalk.key("counter-8"))
    let neighbour = try RedisTalk(port: rig.engine.port)
    try neighbour.order("AUTH", "counter-8", "change-me-8")
    let id = try neighbour.order("XADD", own, "*", "line", "{}", "epoch", "e").text
    #expect(try neighbour.order("XRANGE", own, id, id).list.count == 1)
    for words in [
      ["XRANGE", key, "-", "+"], ["XADD", key, "*", "line", "x"], ["XDEL", key, "1-1"],
      ["XINFO", "STREAM", key], ["SET", key, "x"], ["SET", "a11yd:{counter-7}:alive", "x"],
      ["EVAL", "return redis.call('XRANGE', KEYS[1], '-', '+')", "1", key],
      ["EVAL", "return redis.call('XRANGE', '\(key)', '-', '+')", "0"],
      ["EVAL", "return redis.call('XDEL', '\(key)', '1-1')", "1", own],
      ["EVAL", "return redis.call('DEL', KEYS[1])", "1", own],
      ["XREAD", "STREAMS", key, "0"], ["XTRIM", key, "MAXLEN", "0"], ["DEL", key], ["KEYS", "*"],
      ["SCAN", "0"], ["GET", "a11yd:{counter-7}:alive"], ["COPY", key, own], ["DUMP", key],
      ["RENAME", key, own], ["FLUSHALL"], ["CONFIG", "GET", "*"], ["ACL", "LIST"], ["MONITOR"],
      ["SUBSCRIBE", "x"], ["PUBLISH", "x", "y"], ["PSYNC", "?", "-1"], ["BGREWRITEAOF"],
      ["XGROUP", "CREATE", key, "g", "0"], ["SHUTDOWN"],
    ] {
      guard case .refusal(let reason) = try neighbour.ask(words) else {
        Issue.record("\(words) is allowed")
        continue
      }
      // A script is refused in words of its own.
      let isForbidden = reason.contains("NOPERM") || reason.contains("executing the script can't")
      #expect(isForbidden, "\(words): \(reason)")
    }
    #expect(try rig.read() == log)
  }

  @Test(arguments: ["PURGE", "DELETE"])
  func `a stream that was emptied is filled while the machine is quiet`(order: String) throws {
    let rig = try ForwardRig(.nats)
    try rig.announce(50)
    try rig.expectWhole("before")
    let talk = try NatsReading(rig.engine.port)

    try talk.order("STREAM.\(order).A11YD")

    try rig.expectWhole("without another event")
  }
}
