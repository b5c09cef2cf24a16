// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yWire

/// Publishes an announcement.
struct AnnounceCommand: Command {
  static let name = "announce"
  static let summary = "have a text announced"
  static let usage = "[OPTION]... TEXT"
  static let notes = "Publishes an announcement and prints its seq."
  static let options =
    [
      Flag("priority", "PRIORITY", "low, default or high"),
      Flag("class", "CLASS", "message, status, progress, timer, value, chat or hint"),
      Flag("key", "KEY", "of several that wait with one key the newest counts, see --class"),
      Flag("queue", nil, "wait for what is being spoken instead of cutting it"),
    ] + Publishing.options

  private let event: Event
  private let publishing: Publishing

  init(_ words: CommandWords) throws(Failure) {
    publishing = try Publishing(words, .announcement)
    guard !words.operands.isEmpty else {
      throw Failure(.usage, "The text is missing. Try: a11yctl announce \"Item was added\"")
    }
    if let word = words.value("class") { try RefusalWords.checkClass(word) }
    var event = Event.announcement(
      SpeechText(words.operands.joined(separator: " ")),
      priority: try words.choice("priority", AnnouncementPriority.self),
      kind: words.value("class").map { AnnouncementClass($0) },
      queue: words.has("queue") ? true : nil
    )
    if let key = words.value("key") { event = event.key(key) }
    self.event = event
  }

  func run(_ output: Output) throws(Failure) {
    try publishing.publish(event, type: EventType.announcement.rawValue, output)
  }
}
