// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
  static let options: [Flag] = []

  private enum Task {
    case script(ShellScript)
    case words([String], Completion)
  }

  private let task: Task

  init(_ words: CommandWords) throws(Failure) {
    guard let first = words.operands.first else {
      throw Failure(.usage, "A shell is missing: bash, zsh or fish.")
    }
    if first == "words" {
      let path = (try? words.socket(for: .operation(.stats)).path) ?? ""
      task = .words(Array(words.operands.dropFirst()), Completion(path: path))
      return
    }
    guard let shell = ShellScript(rawValue: first), words.operands.count == 1 else {
      let word = words.operands.count > 1 ? words.operands[1] : first
      throw Failure(.usage, "\(word) is not expected here; the shells are bash, zsh and fish.")
    }
    task = .script(shell)
  }

  func run(_ output: Output) throws(Failure) {
    switch task {
    case .script(let shell): output.line(shell.text)
    case .words(let words, let completion):
      switch completion.offer(words) {
      case .files: output.line(":")
      case .words(let candidates):
        for candidate in candidates {
          // Names come from apps, and a shell shows what it is given.
          output.line(VisibleText.of(candidate.word) + "\t" + VisibleText.of(candidate.note))
        }
      }
    }
  }
}
