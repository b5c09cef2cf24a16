// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import A11yClient
@testable import a11yctl

/// The bus's counters, as a person hears them.
struct StatsWordsTests {
  private func lines(_ stats: String) throws -> [String] {
    StatsWords.lines(try #require(JSONValue(json: stats)))
  }

  @Test func `what was heard comes first, and nothing of ends that there were not`() throws {
    let lines = try lines(
      #"{"turns":3,"outcomes":{"heard":4,"duplicate":1,"coalesced":2,"superseded":1,"expired":0,"#
        + #""handled":1,"newly":2}}"#
    )

    #expect(
      lines == [
        "4 events were heard to the end.", "1 event repeated another.",
        "1 action of the user was handled.",
        "2 events ended as newly.", "3 events gave way to newer ones.",
        "3 turns of the loop were taken.",
      ]
    )
  }

  @Test func `the bus and its log are told in sentences`() throws {
    let lines = try lines(
      #"{"server":"a11yd/1","pid":7,"uptime_ms":1200,"reloads":{"count":2,"refused":"no."},"#
        + #""log":{"epoch":"ab","first":1,"last":9,"synced":8,"segments":1,"bytes":2048,"#
        + #""degraded":true},"connections":1,"refused":{"field.invalid":2}}"#
    )

    #expect(
      lines == [
        "The bus is a11yd/1, process 7, and has run for 1.2 s.", "It was reloaded 2 times.",
        "Its last reload was refused: no.", "The log has entries 1 to 9, 2 KiB in 1 segment.",
        "The disk has confirmed all up to entry 8.", "The log cannot be written at the moment.",
        "The epoch is ab.", "1 connection is open.",
        "2 requests were refused with field.invalid.",
      ]
    )
  }

  @Test func `a bound is told with what it bounds`() throws {
    let lines = try lines(
      #"{"presenter":{"pending":{"held":0,"queued":3,"speaking":1,"queue_high":2,"queue_low":0,"#
        + #""queue_bound":64},"tables":{"windows":0,"memory":1,"rates":2,"storms":0,"busy":0,"#
        + #""bound":4096,"actions":0,"actions_bound":256},"readers":1}}"#
    )

    #expect(
      lines == [
        "1 reader is connected.", "1 event is being spoken.", "0 events are held back.",
        "3 events wait for a turn to be spoken; there is room for 64; among them are 2 of high"
          + " priority.",
        "The presenter keeps 1 recent text, 0 bursts of changes, 2 rates,"
          + " 0 storms and 0 busy elements.",
        "It has room for 4096 of each.", "It keeps 0 actions of the user, and has room for 256.",
      ]
    )
  }

  @Test func `an app and a subscriber have a sentence each, and what is new a line`() throws {
    let lines = try lines(
      #"{"apps":[{"app":"org.x","uid":5,"connections":1,"published":3,"refused":0,"heard":2,"#
        + #""unheard":1}],"subscribers":[{"conn":4,"app":"orca","at":9,"behind":0,"#
        + #""unread_bytes":0,"speech":50}],"newly":{"counted":3}}"#
    )

    #expect(
      lines == [
        "The app org.x of user 5 has 1 connection and published 3 events; 2 were heard and 1 was "
          + "not heard.",
        "The subscriber orca, connection 4, a reader of rank 50, is at entry 9, 0 entries behind,"
          + " with 0 bytes unread.",
        "Newly, counted: 3.",
      ]
    )
  }
}
