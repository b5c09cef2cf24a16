// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import A11yClient
@testable import a11yctl

/// Sentences begin with a capital, and apps keep their ids.
struct SentenceCaseTests {
  private static let app = "org.example.Contacts"

  @Test func `an app's id at the beginning of a sentence is as it is`() throws {
    let gesture = #"{"type":"gesture","action":7,"app":"\#(Self.app)","name":"escape"}"#
    var answers = KeyAnswers()
    answers.await("escape", 7, through: 9)

    let words = answers.findAnswer(
      in: try RecordedEntry.of("a11yd", 8, gesture),
      hasChange: false
    )

    #expect(words?.hasPrefix("\(Self.app) ") == true, "\(words ?? "")")
  }

  @Test func `an app that moved the focus keeps its id, and the user has a capital`() throws {
    func origin(_ reason: String) throws -> String? {
      let move = #"{"type":"focus","app":"\#(Self.app)","element":"a","reason":"\#(reason)"}"#
      let entry = try RecordedEntry.of("a11yd", 8, move)
      return FocusWords.origin(entry, by: nil) { _ in "12:03:04" }.first
    }

    #expect(try origin("auto")?.hasPrefix("\(Self.app) moved it there") == true)
    #expect(try origin("next")?.hasPrefix("The user moved it there") == true)
    #expect(try origin("repair")?.hasPrefix("The bus moved it there") == true)
  }
}
