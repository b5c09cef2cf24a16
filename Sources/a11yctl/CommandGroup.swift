// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix

/// Commands with a common first word, as in `a11yctl log verify`.
struct CommandGroup {
  let name: String
  /// The purpose of the commands, in a sentence.
  let summary: String
  /// The paragraph of the help after the list of commands.
  let notes: String
  let commands: [any Command.Type]

  /// The command line up to the command's own word.
  var call: String { "a11yctl \(name)" }

  var help: String {
    let list = commands.map { "  \($0.name.dropFirst(name.count + 1).padded(10)) \($0.summary)" }
    return """
      Usage: \(call) COMMAND [OPTION]...
      \(summary)

      Commands:
      \(list.joined(separator: "\n"))

      Every command explains itself: \(call) COMMAND --help

      \(notes)
      """
  }

  static var all: [CommandGroup] { [log, rules, fleet] }

  static var rules: CommandGroup {
    CommandGroup(
      name: "rules",
      summary: "Tells what is heard, and when: the rules.",
      notes: """
        The rules that are built in stand in default-rules.toml, with an explanation of all keys.
        Others are looked for in \(ConfigHome.ofMachine)/rules.d and in
        $XDG_CONFIG_HOME/a11yd/rules.d.
        """,
      commands: [RulesShowCommand.self, RulesCheckCommand.self, RulesTryCommand.self]
    )
  }

  static var fleet: CommandGroup {
    CommandGroup(
      name: "fleet",
      summary: "Asks about many machines, whose logs an engine has.",
      notes: FleetSource.notes,
      commands: [
        FleetMachinesCommand.self, FleetQuietCommand.self, FleetAppsCommand.self,
        FleetWhyCommand.self, FleetTailCommand.self, FleetCatCommand.self,
      ]
    )
  }

  static var log: CommandGroup {
    CommandGroup(
      name: "log",
      summary: "Works on the log itself, with a daemon or without.",
      notes: LogPlace.notes,
      commands: [
        LogListCommand.self, LogVerifyCommand.self, LogCatCommand.self, LogExportCommand.self,
        LogScriptCommand.self, LogForgetCommand.self,
      ]
    )
  }
}

extension Substring {
  fileprivate func padded(_ width: Int) -> String { String(self).padded(to: width) }
}
