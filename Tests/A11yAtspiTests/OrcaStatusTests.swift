// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yClient
import A11yTestKit
import Testing

/// The ears' word about a screen reader that is not ours.
@Suite(.timeLimit(.minutes(hangs))) struct OrcaStatusTests {
  private var ears = Ears()

  /// The statuses that were told, and the apps that have left.
  private mutating func told() -> [String] {
    ears.takeActs().map { act in
      switch act {
      case .post(let event, let app):
        let running = JSONValue(json: event.json)?["running"]?.flag
        return "\(app) \(running.map { $0 ? "runs" : "does not run" } ?? "")"
      case .leave(let app): return "\(app) leaves"
      case .ask: return "a question"
      }
    }
  }

  @Test mutating func `a change while Orca is there is told once`() {
    ears.noteOrca(isThere: true)
    ears.noteScreenReader(isWanted: false)
    ears.noteScreenReader(isWanted: false)
    #expect(told() == ["orca does not run"])

    ears.noteScreenReader(isWanted: true)
    #expect(told() == ["orca runs"])
  }

  @Test mutating func `without Orca a change is nobody's`() {
    ears.noteScreenReader(isWanted: true)
    ears.noteOrca(isThere: true)

    #expect(told() == [])
  }

  @Test mutating func `the status goes with Orca, so that it silences no other reader`() {
    ears.noteOrca(isThere: true)
    ears.noteScreenReader(isWanted: false)
    _ = told()
    ears.noteOrca(isThere: false)
    #expect(told() == ["orca leaves"])

    ears.noteOrca(isThere: false)
    #expect(told() == [])
  }

  @Test mutating func `an accessibility bus that has gone takes it, too`() {
    ears.noteOrca(isThere: true)
    ears.noteScreenReader(isWanted: true)
    _ = told()
    ears.forget()

    #expect(told() == ["orca leaves"])
  }
}
