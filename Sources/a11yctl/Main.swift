// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire
import Glibc

/// From the command line to the command.
@main
enum Main {
  static func main() {
    Signals.ignoreBrokenPipe()
    Machine.forbidDumps()
    do throws(Failure) {
      try run(Array(CommandLine.arguments.dropFirst()), Output())
    } catch {
      if let words = error.words { StandardError.write("a11yctl: \(words)\n") }
      // A hook's code is an order to the program that has called it, also after a wrong call.
      let isHook = CommandLine.arguments.dropFirst().first == HookCommand.name
      exit(isHook ? 0 : error.code.rawValue)
    }
  }

  /// All commands, in the order in which the help lists them.
  static var commands: [any Command.Type] {
    [
      StopCommand.self, AgainCommand.self, HistoryCommand.self, MissedCommand.self,
      ReportCommand.self,
      QuietCommand.self, MuteCommand.self, UnmuteCommand.self, ReaderCommand.self,
      VoiceCommand.self, SetupCommand.self, DoctorCommand.self,
      TailCommand.self, WhyCommand.self, ExplainCommand.self, ListenCommand.self, FocusCommand.self,
      TreeCommand.self, InspectCommand.self,
      AnnounceCommand.self, PostCommand.self, PingCommand.self, StatsCommand.self, TopCommand.self,
      DescribeCommand.self, LintCommand.self, ReloadCommand.self,
      TestCommand.self, SimulateCommand.self, ReplayCommand.self, HookCommand.self,
      CompletionCommand.self,
    ] + CommandGroup.all.flatMap(\.commands)
  }

  static func run(
    _ words: [String],
    _ output: Output,
    _ sockets: Sockets = .ofThisProcess
  ) throws(Failure) {
    guard let name = words.first else {
      throw Failure(.usage, "A command is missing. Try: a11yctl --help")
    }
    switch name {
    case "--help", "-h": output.line(help)
    case "help": try explain(Array(words.dropFirst()), output, sockets)
    case "--version", "-v": output.line("a11yctl \(Protocol.release)")
    default:
      if let group = CommandGroup.all.first(where: { $0.name == name }) {
        try runGroup(Array(words.dropFirst()), of: group, output, sockets)
        break
      }
      let command = try named(name, among: commands)
      try perform(command, Array(words.dropFirst()), output, sockets)
    }
    try output.flush()
  }

  /// `help COMMAND` says the same as `COMMAND --help`.
  private static func explain(
    _ words: [String],
    _ output: Output,
    _ sockets: Sockets
  ) throws(Failure) {
    if words.isEmpty { output.line(help) } else { try run(words + ["--help"], output, sockets) }
  }

  private static func runGroup(
    _ words: [String],
    of group: CommandGroup,
    _ output: Output,
    _ sockets: Sockets
  ) throws(Failure) {
    guard let word = words.first else {
      throw Failure(.usage, "A command of \(group.name) is missing. Try: \(group.call) --help")
    }
    switch word {
    case "--help", "-h", "help": output.line(group.help)
    case "--version", "-v": output.line("a11yctl \(Protocol.release)")
    default:
      let command = try named("\(group.name) \(word)", among: group.commands)
      try perform(command, Array(words.dropFirst()), output, sockets)
    }
  }

  private static func named(
    _ name: String,
    among commands: [any Command.Type]
  ) throws(Failure) -> any Command.Type {
    for command in commands where command.name == name { return command }
    let near = NearbyNames.to(name, among: commands.map { $0.name })
    let more = near.isEmpty ? " a11yctl --help names those that there are." : ""
    throw Failure(.usage, "There is no command \(name)\(NearbyNames.question(near))\(more)")
  }

  private static func perform(
    _ type: any Command.Type,
    _ words: [String],
    _ output: Output,
    _ sockets: Sockets
  ) throws(Failure) {
    let command = type.init()
    let call = Invocation(command: type.name, sockets: sockets, now: SystemClock.wallMicroseconds())
    switch try Arguments(of: command).read(words, call) {
    case .help: output.line(type.help)
    case .version: output.line("a11yctl \(Protocol.release)")
    case .run: try command.run(output)
    }
  }

  static var help: String {
    let list = commands.map { "  \($0.name.padded(to: 10)) \($0.summary)" }
    return """
      Usage: a11yctl COMMAND [OPTION]...
      Talks to a11yd, the accessibility notification bus.

      Commands:
      \(list.joined(separator: "\n"))

      Every command explains itself: a11yctl COMMAND --help
      a11yctl --version prints the version.

      The bus is found at $A11YD_SOCKET, else at $XDG_RUNTIME_DIR/a11yd/bus.sock, else at the
      first of control.sock, read.sock and publish.sock in /run/a11yd that may be opened and that is
      for the command.
      It ends with 0 when all went well, 1 when damage, advice or a difference was found, 64 when
      it was called wrongly, 65 when the bus refused, 66 when there is no log, 69 when the bus
      cannot be reached, 73 when a file is in the way, 74 when reading or writing failed, 75 when
      the log is in use, 78 when a file of configuration or rules has a mistake.
      """
  }
}

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
    let list = commands.map { command in
      let word = String(command.name.dropFirst(name.count + 1))
      return "  \(word.padded(to: 10)) \(command.summary)"
    }
    return """
      Usage: \(call) COMMAND [OPTION]...
      \(summary)

      Commands:
      \(list.joined(separator: "\n"))

      Every command explains itself: \(call) COMMAND --help

      \(notes)
      """
  }

  static var all: [CommandGroup] { [log, rules, driver, fleet] }

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

  static var driver: CommandGroup {
    CommandGroup(
      name: "driver",
      summary: "Lets tests drive assistive technology, by the AT Driver of the W3C.",
      notes: "A client in Python, and the ways for a build server, are in ci.md.",
      commands: [DriverServeCommand.self, DriverRunCommand.self]
    )
  }

  static var fleet: CommandGroup {
    CommandGroup(
      name: "fleet",
      summary: "Asks about many machines, whose logs an engine has.",
      notes: FleetOptions.notes,
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
