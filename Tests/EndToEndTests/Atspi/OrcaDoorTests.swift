// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// A real Orca that speaks through the door, heard word for word at its synthesizer.
@Suite(
  .serialized,
  .timeLimit(.minutes(hangs)),
  .enabled(if: OrcaRig.isWanted, "tests of a desktop are run with A11Y_DESKTOP=1")
)
struct OrcaDoorTests {
  @Test func `Orca reads through the bus, no disk has its words, and an alarm is heard once`()
    throws
  {
    let rig = try OrcaRig(hasDoor: true)
    try rig.startOrcaAtDoor()

    let reading = try rig.log.wait(for: "what Orca reads") { line in
      line.type == "announcement" && line.event["class"] == "reading"
    }
    #expect(reading.event["origin"] == "ssip")
    #expect(reading.event["redacted"].isThere && !reading.event["text"].isThere)
    #expect(try rig.log.outcome(of: reading.seq).event["result"] == "heard")
    // The mouth may have taken the word for a moment, before it saw that Orca is at the door.
    #expect(try rig.count(of: "screen reader on") == 1)

    let alarm = try rig.announce("The battery is empty", #","priority":"high""#)
    #expect(try rig.log.outcome(of: alarm).event["result"] == "heard")
    #expect(try rig.count(of: "The battery is empty") == 1)
  }

  /// With `A11Y_DOOR_KEYS=all` two hundred keys, in a browser more and in a terminal, too; with
  /// the name of one program all keys of that one.
  private static let wish = ProcessInfo.processInfo.environment["A11Y_DOOR_KEYS"]
  private static let programs =
    KeyedProgram(rawValue: wish ?? "").map { [$0] }
    ?? (wish == nil ? KeyedProgram.everyday : KeyedProgram.allCases)

  @Test(arguments: programs)
  func `Orca says the same to each key with and without the door`(program: KeyedProgram) throws {
    let keys = Self.wish == nil ? Array(program.keys.prefix(12)) : program.keys
    let alone = try KeysRig(hasDoor: false).play(program, keys: keys)
    let rig = try KeysRig(hasDoor: true)
    let behind = try rig.play(program, keys: keys)

    let cuts = alone.count { $0.isCut }
    print("\(program), \(keys.count) keys: \(alone.count) texts, \(cuts) cut")
    #expect(alone.count >= keys.count / 2)
    #expect(behind.map(\.words) == alone.map(\.words))
    // How fast a program answers decides which of its texts Orca stops; a stop is obeyed.
    for said in [alone, behind] { #expect(said.filter { !$0.isAsOrdered }.isEmpty) }
    let heard = try rig.heard()
    #expect(heard.fromVoice.joined(separator: " ") == heard.byOrca.joined(separator: " "))
  }
}
