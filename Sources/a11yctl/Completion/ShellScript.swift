// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
