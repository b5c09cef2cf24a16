// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation

/// What a synthesizer without a sound has noted: each text, and each moment in which it spoke.
///
/// It is a program that speech-dispatcher starts for each text, and kills where it is silenced. So
/// the notes know nothing of the bus, and nothing of what the voice says about itself.
struct SpokenNotes {
  struct Utterance {
    let text: String
    /// The moments in which something sounded, in seconds of the wall clock.
    fileprivate(set) var sounds: [Double]
    /// Whether it came to its end.
    fileprivate(set) var isWhole = false
  }

  /// The texts in the order in which they began.
  private(set) var utterances: [Utterance] = []

  init(_ lines: String) {
    var places: [Substring: Int] = [:]
    for line in lines.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
      guard words.count >= 3, let time = Double(words[0]) else { continue }
      if words[2] == "begin" {
        places[words[1]] = utterances.count
        let text = words.count > 3 ? String(words[3]) : ""
        utterances.append(Utterance(text: text, sounds: [time]))
      } else if let place = places[words[1]] {
        utterances[place].sounds.append(time)
        if words[2] == "end" { utterances[place].isWhole = true }
      }
    }
  }

  /// The longest time without a sound between the first and the last, in seconds.
  var longestSilence: Double {
    let sounds = utterances.flatMap(\.sounds).sorted()
    return zip(sounds, sounds.dropFirst()).map { $1 - $0 }.max() ?? 0
  }

  /// The text that is in its middle, with as much behind it as before it.
  var middle: String? {
    guard let last = utterances.last, !last.isWhole else { return nil }
    return last.sounds.count >= last.text.count / 2 ? last.text : nil
  }
}

extension SpokenNotes {
  private static let home = "/var/lib/a11y-tester"
  private static let file = "\(home)/spoken"

  /// The notes so far.
  init(on machine: BootedMachine) {
    let bytes = FileManager.default.contents(atPath: machine.path(Self.file)) ?? Data()
    self.init(String(decoding: bytes, as: UTF8.self))
  }

  /// Gives the tester's speech-dispatcher this synthesizer.
  static func arrange(on machine: BootedMachine) throws {
    let program = #"""
      #!/bin/bash
      # Takes 50 ms for a character, and notes each such moment.
      exec >>\#(file)
      echo "$EPOCHREALTIME $$ begin $1"
      exec 3<> <(:)
      for ((left = ${#1}; left > 0; left--)); do
        read -r -t 0.05 -u 3
        echo "$EPOCHREALTIME $$ sound"
      done
      echo "$EPOCHREALTIME $$ end"
      """#
    let settings = """
      LogLevel 1
      LogDir "default"
      SymbolsPreproc "none"
      AddModule "noting" "sd_generic" "noting.conf"
      DefaultModule noting
      """
    let module = #"""
      GenericExecuteSynth "\#(home)/.local/bin/speak-and-note \'$DATA\'"
      GenericMaxChunkLength 100000
      GenericDelimiters "~"
      GenericLanguage "en" "en"
      AddVoice "en" "MALE1" "only"
      DefaultVoice "only"
      """#
    let files = [
      ".local/bin/speak-and-note": program, ".config/speech-dispatcher/speechd.conf": settings,
      ".config/speech-dispatcher/modules/noting.conf": module,
    ]
    for (name, text) in files {
      let write = #"mkdir -p "${0%/*}"; printf '%s\n' "$1" >"$0"; chmod 0755 "$0""#
      try machine.asTester("sh", "-c", write, "\(home)/\(name)", text)
    }
  }
}
