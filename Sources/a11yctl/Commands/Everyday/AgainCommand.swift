// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yWire

/// Has something said once more that was spoken before.
struct AgainCommand: Command {
  static let name = "again"
  static let summary = "have the last text spoken again, or an earlier one"
  static let usage = "[OPTION]... [N]"
  static let notes = """
    Without N, the last announcement, screen or page is spoken again; where there was none, the
    focus is told again. With N, the Nth text from the end of a11yctl history, where 1 is the last.
    The bus keeps the last \(kept) texts for this, and no secret ones.
    """
  static let options: [Flag] = []

  /// The deliveries that the bus keeps.
  private static let kept = 32

  private let path: String
  /// The place from the end; nil for the last text that is no focus.
  private let number: Int?

  init(_ words: CommandWords) throws(Failure) {
    guard words.operands.count <= 1 else {
      throw Failure(.usage, "One number is expected. Try: a11yctl again 2")
    }
    number = try words.operands.first.map { word throws(Failure) in
      guard let number = Int(word), 1...Self.kept ~= number else {
        throw Failure(.usage, "again expects a number from 1 to \(Self.kept); got \(word).")
      }
      return number
    }
    path = try words.socket(for: .acting).path
  }

  func run(_ output: Output) throws(Failure) {
    let delivery = try number.map { number throws(Failure) in try self.delivery(number) }
    _ = try asking(about: EventType.action.rawValue) { () throws(ClientError) in
      try BusConnection(path: path).publish(.action("repeat", of: delivery))
    }
  }

  /// The seq of the Nth text from the end.
  private func delivery(_ number: Int) throws(Failure) -> Int64 {
    let history = try RecentEntries(path: path).sum(
      of: SpokenHistory.types,
      into: SpokenHistory(count: number),
      isEnough: \.isFull
    ) { $0.note($1) }
    guard history.isFull, let utterance = history.utterances.first else {
      let spoken = SeqWords.count(Int64(history.utterances.count), "text was", "texts were")
      throw Failure(.refused, "There is no text \(number): \(spoken) spoken.")
    }
    guard !utterance.isSecret else {
      throw Failure(
        .refused,
        "Text \(number) is secret; the bus does not keep it to speak it again."
      )
    }
    return utterance.delivery
  }
}
