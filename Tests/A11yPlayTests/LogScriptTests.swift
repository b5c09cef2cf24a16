// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPlay
import A11yRules
import A11yTestKit
import A11yWire
import Testing

/// Scripts that are made of logs.
@Suite struct LogScriptTests {
  /// A log as a script, with what the script cannot say.
  private func script(
    _ lines: [String],
    leavesOutReaders: Bool = false
  ) -> (lines: [String], losses: [LogScript.Loss]) {
    let reader = JSONReader(limit: Limits.answerBytes)
    var script = LogScript(leavesOutReaders: leavesOutReaders)
    func eachEntry(_ body: (JSONDocument) -> Void) {
      for line in lines {
        let bytes = Array(line.utf8)
        do throws(JSONFault) { try reader.read(bytes.span) } catch { continue }
        body(reader.document)
      }
    }
    var out = ByteBuffer(capacity: 65_536)
    eachEntry { script.survey($0) }
    script.beginWriting()
    eachEntry { script.script($0, into: &out) }
    return (out.bytes.string.split(separator: "\n").map(String.init), script.losses)
  }

  /// The entries of the bus, byte for byte: what was said, where the focus went, how all ended.
  private func decisions(_ log: Played) -> [String] {
    log.lines.filter { line in
      ["deliver", "outcome", "focus", "gesture", "silence"].contains { type in
        line.contains(",\"conn\":0,\"event\":{\"type\":\"\(type)\"")
      }
    }
  }

  // MARK: Round trips

  @Test(arguments: 1...40)
  func `a script of a log comes to the same log`(seed: Int) throws {
    var maker = ScriptMaker(Dice(seed: UInt64(seed)))
    let original = try Played(maker.script(150))

    let (lines, losses) = script(original.lines)
    let again = try Played(lines, reader: .none)

    #expect(losses.allSatisfy { if case .secret = $0 { true } else { false } })
    #expect(again.exitCode == 0, "\(again.marks.first.map { "\($0)" } ?? "")")
    #expect(decisions(original).count > 20)
    #expect(decisions(again) == decisions(original))
  }

  @Test(arguments: 1...20)
  func `without its reader, the simulation's own says the same`(seed: Int) throws {
    var maker = ScriptMaker(Dice(seed: UInt64(seed)))
    let original = try Played(maker.script(150))

    let again = try Played(script(original.lines, leavesOutReaders: true).lines)

    #expect(again.exitCode == 0)
    #expect(decisions(again) == decisions(original))
  }

  // MARK: The words of a script

  @Test func `entries are named only where others refer to them`() throws {
    let log = try Played(
      [
        #"{"mono":0,"conn":"R","hello":{"app":"voice","role":"reader","reports":true}}"#,
        #"{"mono":0,"conn":"A","uid":0,"hello":{"app":"mail"}}"#,
        #"{"mono":5,"conn":"U","label":"act","event":{"type":"action","action":"escape"}}"#,
        #"{"mono":9,"conn":"A","label":"t","dedupe":"k","event":{"type":"announcement","#
          + #""text":"Hi","cause":"@act"}}"#,
        #"{"mono":200000,"conn":"R","event":{"type":"speech","of":"deliver:@t","#
          + #""state":"finished"}}"#,
        #"{"mono":300000,"conn":"A","gone":true}"#,
      ],
      reader: .none
    )

    let (lines, losses) = script(log.lines)

    let said = try lines.map { try JSON($0) }
    #expect(losses == [])
    #expect(said.compactMap { $0["label"].string }.count == 2)
    #expect(said.first { $0["hello"]["app"].string == "mail" }?["hello"]["uid"].integer == 0)
    #expect(said.first { $0["dedupe"].isThere }?["event"]["cause"].string?.hasPrefix("@") == true)
    #expect(said.contains { $0["event"]["of"].string?.hasPrefix("deliver:@") == true })
    #expect(said.last?["gone"].isThere == true)
    #expect(try Played(lines, reader: .none).exitCode == 0)
  }

  @Test func `what a script cannot say is told`() throws {
    let log = try Played([
      #"{"mono":0,"conn":"A","event":{"type":"announcement","text":"secret","sensitive":true}}"#,
      #"{"mono":9,"conn":"A","label":"t","event":{"type":"announcement","text":"Hi"}}"#,
      #"{"mono":9,"conn":"A","event":{"type":"cancel","of":"@t"}}"#,
    ])
    let published = try #require(log["t"]["seq"].integer)

    let whole = script(log.lines)
    let cut = script(log.lines.filter { !$0.contains("\"label\":\"t\"") })

    #expect(whole.losses.count == 1)
    #expect(whole.lines.contains { $0.contains("xxxxxxxx") })
    #expect(cut.losses.contains(.missing(before: Seq(published + 1))))
    #expect(cut.losses.contains { if case .reference = $0 { true } else { false } })
    let rest = script(
      log.lines.filter { !$0.contains("\"label\":\"t\"") },
      leavesOutReaders: true
    )
    #expect(try Played(rest.lines).exitCode == 0)
  }

  @Test func `entries of the bus have a number in scripts`() throws {
    func played(_ of: String) throws -> Played {
      try Played(
        [
          #"{"mono":0,"conn":"R","hello":{"app":"voice","role":"reader"}}"#,
          #"{"mono":0,"conn":"A","event":{"type":"announcement","text":"Hi"}}"#,
          #"{"mono":9,"conn":"R","event":{"type":"speech","of":"\#(of)","state":"finished"}}"#,
        ],
        reader: .none
      )
    }
    #expect(try played("deliver:1").exitCode == 0)
    for wrong in ["deliver:2", "deliver:0", "deliver:x", "gesture:1", "focus:1"] {
      #expect(try played(wrong).exitCode == 65, "\(wrong)")
    }
  }
}
