// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire

/// Prints what a shell needs to complete command lines of a11yctl.
struct CompletionCommand: Command {
  static let name = "completion"
  static let summary = "print the completion for a shell: bash, zsh or fish"
  static let usage = "[OPTION]... bash | zsh | fish | words -- WORD..."
  static let notes = """
    Prints a script for the shell: commands, options, files and times are completed, and the apps
    and rules that the running bus knows. make install puts the scripts in their places; for one
    shell alone:
      bash: source <(a11yctl completion bash)
      zsh:  source <(a11yctl completion zsh)
      fish: a11yctl completion fish | source
    The scripts ask a11yctl completion words, which prints the words that may stand in place of the
    last WORD, each with an explanation behind a tab; a line with a colon means files.
    """

  @Operands private var words: [String]
  private let bus = BusSocket()

  func run(_ output: Output) throws(Failure) {
    guard let first = words.first else {
      throw Failure(.usage, "A shell is missing: bash, zsh or fish.")
    }
    guard first != "words" else {
      let path = (try? bus(for: .operation(.stats))) ?? ""
      return offer(Completion(path: path).offer(Array(words.dropFirst())), output)
    }
    guard let shell = ShellScript(rawValue: first), words.count == 1 else {
      let word = words.count > 1 ? words[1] : first
      throw Failure(.usage, "\(word) is not expected here; the shells are bash, zsh and fish.")
    }
    output.line(shell.text)
  }

  private func offer(_ offer: Completion.Offer, _ output: Output) {
    switch offer {
    case .files: output.line(":")
    case .words(let candidates):
      for candidate in candidates {
        // Names come from apps, and a shell shows what it is given.
        output.line(VisibleText.of(candidate.word) + "\t" + VisibleText.of(candidate.note))
      }
    }
  }
}

/// The words that may stand where a person at a shell has come to.
struct Completion {
  /// A word with a short explanation.
  struct Candidate: Equatable {
    let word: String
    var note = ""
  }

  enum Offer: Equatable {
    case words([Candidate])
    /// The shell knows the files better.
    case files
  }

  /// The apps that a running bus knows.
  let apps: () -> [String]
  /// The rules that a running bus goes by.
  let rules: () -> [String]

  /// The words that may stand in place of the last one, which may be empty or half written.
  func offer(_ words: [String]) -> Offer {
    let half = words.last ?? ""
    let before = words.dropLast()
    guard let first = before.first else { return Self.fitting(Self.commands, half) }
    if let group = CommandGroup.all.first(where: { $0.name == first }) {
      guard before.count > 1 else {
        let list = group.commands.map { command in
          Candidate(
            word: String(command.name.dropFirst(group.name.count + 1)),
            note: command.summary
          )
        }
        return Self.fitting(list, half)
      }
      let name = "\(first) \(before[1])"
      guard let command = group.commands.first(where: { $0.name == name }) else {
        return .words([])
      }
      return offer(half, Array(before.dropFirst(2)), command)
    }
    if first == "help" { return Self.fitting(Self.commands, half) }
    guard let command = Main.commands.first(where: { $0.name == first }) else { return .words([]) }
    return offer(half, Array(before.dropFirst()), command)
  }

  private func offer(
    _ half: String,
    _ before: [String],
    _ command: any Command.Type
  ) -> Offer {
    let options = command.options
    if let last = before.last, last.hasPrefix("--"),
      let option = options.first(where: { "--\($0.name)" == last }), option.placeholder != nil
    {
      return offer(option, half)
    }
    if half.hasPrefix("-") {
      return Self.fitting(
        options.map { Candidate(word: "--\($0.name)", note: $0.explanation) },
        half
      )
    }
    return operand(command, half)
  }

  /// The values of an option: names and files that are there, or the words of its form.
  private func offer(_ option: any CommandOption, _ half: String) -> Offer {
    switch (option.name, option.placeholder) {
    case ("app", _): Self.fitting(apps().map { Candidate(word: $0) }, half)
    case ("rule", _): Self.fitting(rules().map { Candidate(word: $0) }, half)
    case (_, "FILE"), (_, "DIR"), (_, "PATH"), (_, "LOG"): .files
    default: Self.fitting(option.words.map { Candidate(word: $0) }, half)
    }
  }

  /// The words of a command that are no options, by the first line of its help: an app, a file, or
  /// the words that stand there in small letters.
  private func operand(_ command: any Command.Type, _ half: String) -> Offer {
    let tokens = command.usage.split { " []|.\n".contains($0) }.map(String.init)
    if tokens.contains("APP") { return Self.fitting(apps().map { Candidate(word: $0) }, half) }
    if ["FILE", "LOG", "SCRIPT", "PROGRAM"].contains(where: tokens.contains) { return .files }
    let literal = tokens.filter { $0.allSatisfy(\.isLowercase) && $0.count > 1 }
    return Self.fitting(literal.map { Candidate(word: $0) }, half)
  }

  private static var commands: [Candidate] {
    let groups = CommandGroup.all.map { Candidate(word: $0.name, note: $0.summary) }
    let single = Main.commands.filter { !$0.name.contains(" ") }
      .map { Candidate(word: $0.name, note: $0.summary) }
    return single + groups + [Candidate(word: "help", note: "explain a command")]
  }

  private static func fitting(_ candidates: [Candidate], _ half: String) -> Offer {
    .words(candidates.filter { $0.word.hasPrefix(half) })
  }
}

extension Completion {
  /// As long as a person at a shell does not notice.
  private static let patience: Duration = .milliseconds(300)

  /// A completion with the apps and rules of a bus; one that does not answer at once knows none.
  init(path: String) {
    apps = {
      Self.reply(of: path, to: "stats")?["apps"]?.list?.compactMap { $0["app"]?.string } ?? []
    }
    rules = {
      let answer = Self.reply(of: path, to: "rules")
      let fromFiles = answer?["rules"]?.list?.compactMap { $0["name"]?.string } ?? []
      let builtin = answer?["builtin"]?.list?.compactMap(\.string) ?? []
      return Set(fromFiles + builtin).sorted()
    }
  }

  private static func reply(of path: String, to operation: StaticString) -> JSONValue? {
    do throws(ClientError) {
      return try BusConnection(path: path).request(operation, timeout: patience)
    } catch {
      return nil
    }
  }
}

/// The shells for which there is completion, each with its script.
///
/// The scripts know no command: they ask `a11yctl completion words`, so that they never grow old. A
/// line `:` in its answer leaves the word to the shell, which knows the files.
enum ShellScript: String, CaseIterable {
  case bash, zsh, fish

  var text: String {
    switch self {
    case .bash: Self.forBash
    case .zsh: Self.forZsh
    case .fish: Self.forFish
    }
  }

  private static let forBash = """
    _a11yctl() {
      local word note
      COMPREPLY=()
      while IFS=$'\\t' read -r word note; do
        if [[ $word == : ]]; then
          compopt -o default
        else
          COMPREPLY+=("$(printf '%q' "$word")")
        fi
      done < <(a11yctl completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    }
    complete -F _a11yctl a11yctl
    """

  private static let forZsh = """
    #compdef a11yctl
    _a11yctl() {
      local word note
      local -a found
      while IFS=$'\\t' read -r word note; do
        if [[ $word == : ]]; then
          _files
          return
        fi
        found+=("${word//:/\\\\:}:$note")
      done < <(a11yctl completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)
      _describe a11yctl found
    }
    compdef _a11yctl a11yctl
    """

  private static let forFish = """
    function __a11yctl_words
      set -l before (commandline -opc)
      for line in (a11yctl completion words -- $before[2..-1] (commandline -ct) 2>/dev/null)
        if test "$line" = ":"
          __fish_complete_path (commandline -ct)
        else
          echo $line
        end
      end
    end
    complete -c a11yctl -f -a '(__a11yctl_words)'
    """
}
