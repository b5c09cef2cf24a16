// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// A real Orca as the mouth of a real bus, heard word for word between Orca and its synthesizer.
@Suite(
  .serialized,
  .timeLimit(.minutes(hangs)),
  .enabled(if: OrcaRig.isWanted, "tests of a desktop are run with A11Y_DESKTOP=1")
)
struct OrcaTests {
  @Test func `each text is spoken once, in the order of the log`() throws {
    let rig = try OrcaRig()
    try rig.startOrca()
    let texts = ["One is saved", "Two is saved", "Three is saved", "Three is saved"]

    let seqs = try texts.map { try rig.announce($0, #","queue":true"#) }
    let ends = try seqs.map { try rig.log.outcome(of: $0) }

    for end in ends {
      #expect(end.event["result"] == "heard", "\(rig.log.tail)")
      #expect(end.event["why"]["estimated"] == true)
      #expect(!end.event["why"]["elsewhere"].isThere)
    }
    try waitUntil("all texts; so far \(try rig.spoken())") { try rig.spoken().count >= 4 }
    let delivered = rig.log.lines.filter { $0.type == "deliver" }.map(\.words)
    #expect(try rig.spoken() == delivered)
  }

  @Test func `what cuts another is spoken behind it, and neither is lost`() throws {
    let rig = try OrcaRig()
    try rig.startOrca()
    let first = try rig.announce("A text of some length that is cut off by another one")
    try rig.log.report("started", on: rig.log.delivery(of: first))

    let second = try rig.announce("Fire", #","priority":"high""#)

    #expect(try rig.log.outcome(of: first).event["result"] == "heard")
    #expect(try rig.log.outcome(of: second).event["result"] == "heard")
    try waitUntil("both texts") { try rig.spoken().count >= 2 }
    #expect(
      try rig.spoken() == ["A text of some length that is cut off by another one", "Fire"]
    )
  }

  @Test func `what came through AT-SPI is left to Orca, and why says so`() throws {
    let rig = try OrcaRig()
    try rig.startOrca()

    let foreign = try rig.announce("Heard already", #","origin":"atspi""#)
    let notification = try rig.announce("New mail", #","origin":"notification""#)

    let end = try rig.log.outcome(of: foreign).event
    #expect(end["result"] == "heard")
    #expect(end["why"]["elsewhere"] == true)
    #expect(end["why"]["estimated"] == true)
    _ = try rig.log.outcome(of: notification)
    try waitUntil("the notification") { try !rig.spoken().isEmpty }
    #expect(try rig.spoken() == ["New mail"])
    let client = try rig.daemon.connect()
    let answer = try client.ask(#"{"id":1,"op":"explain","seq":\#(foreign)}"#)
    #expect(answer["ok"]["sentence"].string?.contains("left to Orca") == true, "\(answer)")
  }

  @Test func `a text that no log has is spoken all the same`() throws {
    let rig = try OrcaRig()
    try rig.startOrca()
    _ = try rig.announce("The code is 4711", #","sensitive":true"#)

    try waitUntil("the code") { try !rig.spoken().isEmpty }

    #expect(try rig.spoken() == ["The code is 4711"])
    #expect(try rig.daemon.linesOnDisk().allSatisfy { !$0.contains("4711") })
    #expect(!rig.mouth.said.contains("4711"))
  }

  @Test func `Orca is killed and started again, and the next texts are heard`() throws {
    let rig = try OrcaRig()
    try rig.startOrca()
    let first = try rig.announce("Before")
    _ = try rig.log.outcome(of: first)
    try waitUntil("the first text") { try rig.spoken().count == 1 }

    try rig.killOrca()
    _ = try rig.mouth.line(containing: "waiting for Orca")
    let meanwhile = try rig.announce("Meanwhile", #","priority":"high""#)
    try rig.startOrca()

    #expect(try rig.log.outcome(of: meanwhile).event["result"] == "heard")
    let last = try rig.announce("After")
    #expect(try rig.log.outcome(of: last).event["result"] == "heard")
    try waitUntil("the last text") { try rig.spoken().count >= 3 }
    #expect(try rig.spoken() == ["Before", "Meanwhile", "After"])
  }

  @Test func `the bus is killed and started again, and nothing is said twice`() throws {
    let rig = try OrcaRig()
    try rig.startOrca()
    let long = "A text that takes its time, for it has many words that come one after the other"
    let first = try rig.announce(long)
    try rig.log.report("started", on: rig.log.delivery(of: first))

    try rig.restartDaemon()

    let end = try rig.log.outcome(of: first)
    #expect(end.event["result"] == "heard", "\(rig.log.tail)")
    let last = try rig.announce("After")
    #expect(try rig.log.outcome(of: last).event["result"] == "heard")
    try waitUntil("both texts") { try rig.spoken().count >= 2 }
    #expect(try rig.spoken() == [long, "After"])
  }

  @Test func `the ears pass over the mouth, and hear of a screen reader that ends`() throws {
    let rig = try OrcaRig(["--mouth", "--ears"])
    try rig.startOrca()
    let seq = try rig.announce("Saved")
    _ = try rig.log.outcome(of: seq)

    try rig.setScreenReader(true)
    let status = try rig.log.wait(for: "the status") { $0.type == "voiceover-status" }
    #expect(status.event["running"] == true)
    #expect(status.event["reader"] == "Orca")

    #expect(
      rig.log.lines.filter { $0.event["origin"] == "atspi" && $0.type == "announcement" }.isEmpty
    )
  }

  @Test func `a mouth is small`() throws {
    let rig = try OrcaRig()
    try rig.startOrca()
    for number in 1...20 { _ = try rig.log.outcome(of: rig.announce("Text \(number)")) }

    let memory = try RigProcess.figure("VmRSS", of: rig.mouth.number)
    print("memory of the mouth: \(memory) KiB")
    // A build for debugging is larger than the 12 MB of a release.
    #expect(memory <= 16 * 1_024)
  }
}
