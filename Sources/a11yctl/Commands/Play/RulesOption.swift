// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yRules
import A11yToml

/// The option that names files of rules.
enum RulesOption {
  static let flag = Flag("rules", "FILE", "rules over the shipped ones; may be repeated")

  /// The shipped rules and those of the files; nothing else of the machine is read.
  static func rules(_ words: CommandWords) throws(Failure) -> RuleSet {
    let loaded = LoadedRules((words.values("rules") ?? []).map(RulesFile.init))
    guard loaded.complaints.isEmpty else {
      throw Failure(
        .configuration,
        loaded.complaints.map(\.description).joined(separator: "\na11yctl: ")
      )
    }
    return loaded.rules
  }
}
