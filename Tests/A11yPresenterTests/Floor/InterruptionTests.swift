// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import A11yPresenter

/// The table of what interrupts what, cell by cell.
@Suite struct InterruptionTests {
  private static let wait = Interruption.Verdict.wait
  private static let again = Interruption.Verdict.interrupt(.again)
  private static let againInTime = Interruption.Verdict.interrupt(.againInTime)
  private static let interrupted = Interruption.Verdict.interrupt(.interrupted)
  private static let superseded = Interruption.Verdict.interrupt(.superseded)

  private static let columns: [Interruption.Arriving] = [
    .low, .default, .high, .byUser, .byApp, .page,
  ]

  /// An announcement that focus, a screen or high speech cuts is offered once more, whatever its
  /// priority.
  private static let rows: [(Interruption.Spoken, [Interruption.Verdict])] = [
    (.low, [wait, againInTime, again, again, again, interrupted]),
    (.default, [wait, interrupted, again, again, again, wait]),
    (.high, [wait, wait, wait, wait, wait, wait]),
    (.place, [wait, wait, again, superseded, superseded, wait]),
    (.page, [wait, wait, interrupted, superseded, superseded, superseded]),
    (.reading, [wait, wait, interrupted, interrupted, wait, wait]),
  ]

  @Test func `every kind of speech has its row`() {
    #expect(Set(Self.rows.map(\.0)) == Set(Interruption.Spoken.allCases))
    #expect(Set(Self.columns) == Set(Interruption.Arriving.allCases))
  }

  @Test(arguments: Interruption.Spoken.allCases, Interruption.Arriving.allCases)
  func `what arrives does what the table says`(
    _ spoken: Interruption.Spoken,
    _ arriving: Interruption.Arriving
  ) throws {
    let row = try #require(Self.rows.first { $0.0 == spoken })
    let column = try #require(Self.columns.firstIndex(of: arriving))
    #expect(Interruption.verdict(arriving, over: spoken) == row.1[column])
  }
}
