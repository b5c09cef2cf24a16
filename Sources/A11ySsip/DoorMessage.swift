// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

/// A message of a client, until the client has been told its end.
struct DoorMessage: Equatable {
  /// The number that the client was told.
  let id: Int
  let content: SsipContent
  let voice: SsipVoice
  let priority: SsipPriority
  let notifications: Set<SsipNotification>
  /// The block in which it stands.
  let block: Int?

  /// What is not spoken yet; the first part is under way.
  var parts: [SsipSpeech.Part] = []
  var place = Place.held
  /// What it is taken back for; the client is told when the bus has said what became of it.
  var fate: Fate?
  /// Whether the client was told that it has begun.
  var hasBegun = false
  /// Whether the client is to be told that it goes on behind a pause, when it does.
  var isResuming = false
  /// The runs of the first part that the voice has come to; their marks were told.
  var passed = 0

  enum Fate: Equatable {
    case cancel, pause
  }

  enum Place: Equatable {
    /// It waits for the end of a pause.
    case held
    /// The bus has been given it, and has not answered yet.
    case offered(ticket: Int64)
    /// It is on record there.
    case recorded(Int64)
    /// speech-dispatcher itself speaks it.
    case direct
  }

  /// The entry of the bus that bears it.
  var seq: Int64? {
    guard case .recorded(let seq) = place else { return nil }
    return seq
  }

  /// Goes back to the last run that the voice has come to, from which it is spoken on.
  mutating func rewind() {
    guard passed > 0, !parts.isEmpty else { return }
    parts[0].removeRuns(before: min(passed, parts[0].runs.count) - 1)
    // Its mark was told.
    passed = 1
  }

  /// Gets ready to be spoken on.
  mutating func resume() {
    guard hasBegun, !parts.isEmpty else { return }
    isResuming = true
    if case .text = content { parts[0].makeAnew() }
  }
}
