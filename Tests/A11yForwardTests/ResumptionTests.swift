// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yForward
import Testing

struct ResumptionTests {
  /// A log of two epochs, of which the second begins at 43.
  static func epochs(secondBegan: Int64 = 2_000_000) throws -> EpochLine {
    let hello: JSONValue = [
      "epochs": [
        ["epoch": "aa", "ordinal": 1, "began": 1_000_999, "first": 1],
        ["epoch": "bb", "ordinal": 2, "began": .integer(secondBegan), "first": 43],
      ]
    ]
    return try #require(EpochLine(hello))
  }

  @Test func `an engine that has nothing gets the log from its beginning`() throws {
    let resumption = try Resumption(behind: nil, in: Self.epochs())

    #expect(resumption == Resumption(cursor: "aa:0", remark: nil))
  }

  @Test func `sending goes on behind the newest entry of the engine`() throws {
    let epochs = try Self.epochs()

    for (life, seq, cursor) in [
      (EngineLast.Life.epoch("aa"), 7, "aa:7"), (.epoch("bb"), 60, "bb:60"),
      (.began(1_000), 42, "aa:42"), (.began(2_000), 43, "bb:43"),
    ] {
      let resumption = Resumption(behind: EngineLast(life, seq: Int64(seq)), in: epochs)
      #expect(resumption == Resumption(cursor: cursor, remark: nil))
    }
  }

  @Test func `behind entries that the log has lost the next epoch follows, and that is told`()
    throws
  {
    let last = EngineLast(.epoch("aa"), seq: 50)

    let resumption = try Resumption(behind: last, in: Self.epochs())

    #expect(resumption.cursor == "aa:42")
    #expect(resumption.remark?.contains("50") == true)
  }

  @Test func `behind another life of the machine the log is sent from its beginning, and told`()
    throws
  {
    let epochs = try Self.epochs()

    for life in [EngineLast.Life.epoch("cc"), .began(999)] {
      let resumption = Resumption(behind: EngineLast(life, seq: 7), in: epochs)
      #expect(resumption.cursor == "aa:0")
      #expect(resumption.remark != nil)
    }
  }

  @Test func `a clock that was set back does not turn the epochs around`() throws {
    let epochs = try Self.epochs(secondBegan: 5)

    #expect(epochs.starts.map(\.began) == [1_000, 1_000])
    #expect(epochs.index(of: EngineLast(.began(1_000), seq: 42)) == 0)
    #expect(epochs.index(of: EngineLast(.began(1_000), seq: 43)) == 1)
  }

  @Test func `ids come behind the newest one, whatever the clock of the machine says`() throws {
    let epochs = try Self.epochs()

    let known = epochs.raised(behind: EngineLast(.epoch("bb"), seq: 50), at: 9_000)
    #expect(known.starts.map(\.began) == [1_000, 9_000])
    let foreign = epochs.raised(behind: EngineLast(.epoch("cc"), seq: 50), at: 9_000)
    #expect(foreign.starts.map(\.began) == [9_001, 9_001])
    let older = epochs.raised(behind: EngineLast(.epoch("cc"), seq: 50), at: 500)
    #expect(older == epochs)
  }
}
