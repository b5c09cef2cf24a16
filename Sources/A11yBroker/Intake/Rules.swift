// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPresenter
package import A11yRules
internal import A11yWire

// Rules come from files that the shell reads. From here on they are an entry like any other: what
// was decided by them can be told from the log alone.
extension Broker {
  /// The rules in force.
  package var rules: RuleSet { presenter.rules }

  /// The speed that is assumed of readers that do not report.
  package var pace: ReaderPace { presenter.pace }

  /// Goes by these rules from the next entry on, which says so.
  package mutating func load(_ rules: RuleSet, _ pace: ReaderPace, into turn: inout Turn) {
    rulesEntry = appendOwn(.rules, into: &turn) { event in
      rules.writeEntry(into: &event)
      pace.write(into: &event)
    }
  }
}
