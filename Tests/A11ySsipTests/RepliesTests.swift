// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

@testable import A11ySsip

/// The door's answers beside those that speech-dispatcher gave to the same commands in a row.
@Suite struct RepliesTests {
  /// What the recorded server has for a connection that has set nothing.
  private static let server = [
    "GET VOICE_TYPE": "251-MALE1", "GET OUTPUT_MODULE": "251-espeak-ng",
    "GET LANGUAGE": "251-en-US", "GET RATE": "251-0", "GET PITCH": "251-0",
    "GET VOLUME": "251-100", "GET PUNCTUATION": "251-none", "LIST OUTPUT_MODULES": "250-espeak-ng",
  ]

  private static let dialogue: [(command: String, answer: String)] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "replies.txt")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { $0.first != "#" }.map { line in
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
      return (plain(parts[0]), String(parts[1]))
    }
  }()

  private static func plain(_ words: Substring) -> String {
    String(words).replacing("\\r", with: "\r").replacing("\\n", with: "\n").replacing(
      "\\t",
      with: "\t"
    )
  }

  @Test func `the door answers as speech-dispatcher, code for code and word for word`() {
    var trial = DoorTrial()
    let id = trial.door.open(at: trial.now) ?? 0
    var count = 0
    for (command, expected) in Self.dialogue {
      var lines = trial.answers(to: command, from: id)
      if lines.isEmpty {
        trial.openLine(0)
        let question = trial.written(on: 0).last ?? ""
        let value = Self.server[question] ?? ""
        trial.answer(value, "\(value.prefix(3)) \(Self.end(of: value))", on: 0)
        lines = trial.heard(by: id)
      }
      let answer = lines.filter { $0.first != "7" }.map(Self.withoutNumbers).joined(
        separator: " | "
      )
      #expect(answer == expected, "to \(command)")
      // Nothing waits at the bus, whose part is not played.
      for (ticket, event) in trial.published() where event["text"].isThere {
        _ = trial.record(ticket, of: id)
        count += 1
      }
    }
    #expect(Self.dialogue.count > 1_500)
    #expect(count > 5)
  }

  private static func end(of value: String) -> String {
    value.hasPrefix("250") ? "OK MODULE LIST SENT" : "OK GET RETURNED"
  }

  private static func withoutNumbers(_ line: String) -> String {
    line.hasPrefix("225-") || line.hasPrefix("245-") ? String(line.prefix(4)) + "N" : line
  }
}
