// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPresenter
import A11yWire
import Testing

/// The part of an event that counts as heard.
@Suite struct HeardPartTests {
  private typealias Result = A11yPresenter.Result

  @Test func `an event is heard to its end, or in part if it was cut after some time`() {
    #expect(Result.heard.heardPart(after: nil) == .whole)
    #expect(Result.interrupted.heardPart(after: .milliseconds(1)) == .part)
    #expect(Result.interrupted.heardPart(after: .zero) == .nothing)
    #expect(Result.interrupted.heardPart(after: nil) == .nothing)
  }

  @Test func `nothing is heard of any other event, and actions of the user are not heard at all`() {
    let actions: Set<Result> = [.handled, .unhandled]
    for result in Result.allCases where result != .heard && result != .interrupted {
      let part = result.heardPart(after: .milliseconds(1))
      #expect(part == (actions.contains(result) ? nil : .nothing), "\(result)")
    }
  }
}
