// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPresenter
import A11yModel
import A11yWire
import Testing

@testable import A11yExplain

extension SentencesTests {
  /// A row: how something ended, what is known of it, and the words.
  struct Row: Sendable, CustomTestStringConvertible {
    let words: String
    let account: Account

    var testDescription: String { words }

    init(
      _ words: String,
      _ result: Result,
      rule: String,
      by: Int64? = nil,
      of event: Happening = Self.announcement,
      other: Account.Other? = nil,
      handovers: [Handover] = [],
      lastWords: String? = nil,
      presenter: String? = nil,
      _ change: (inout Why) -> Void = { _ in }
    ) {
      var why = Why()
      change(&why)
      var account = Account(asked: event, event: event)
      account.ending = EventEnding(
        seq: Seq(50),
        mono: event.mono + 500_000,
        result: result.rawValue,
        by: by.map { Seq($0) },
        rule: rule,
        why: why
      )
      account.other = other
      account.handovers = handovers
      account.lastWords = lastWords
      account.presenter = presenter
      self.words = words
      self.account = account
    }

    static let announcement = happening(42, "announcement", at: 10_000_000)

    static func happening(
      _ seq: Int64,
      _ type: String,
      at mono: Int64 = 10_000_000,
      app: String = "org.x"
    ) -> Happening {
      Happening(seq: Seq(seq), mono: mono, type: type, app: app, uid: 1_000)
    }

    static func own(_ seq: Int64, _ type: String) -> Happening {
      var own = happening(seq, type)
      own.isOwn = true
      return own
    }

    static func other(
      _ happening: Happening,
      deliveredAt: Int64? = nil,
      _ result: Result? = nil
    ) -> Account.Other {
      var other = Account.Other(happening)
      other.deliveredAt = deliveredAt
      other.result = result?.rawValue
      return other
    }

    static func handover(_ change: (inout Handover) -> Void) -> Handover {
      var handover = Handover(seq: Seq(43), mono: 10_100_000)
      change(&handover)
      return handover
    }

    static func high(_ seq: Int64, app: String) -> Happening {
      var high = happening(seq, "announcement", app: app)
      high.priority = "high"
      return high
    }
  }
}
