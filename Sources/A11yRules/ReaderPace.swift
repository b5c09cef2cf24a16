// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

/// The assumed pace of a reader that does not report when it has spoken.
public struct ReaderPace: Sendable, Equatable {
  /// The time for a character.
  public var perCharacter = TimeSpan.milliseconds(50)
  /// The time that an utterance may take beyond its characters.
  public var grace = TimeSpan.seconds(2)

  /// The language of the bus's own words.
  public var language = WordLanguage.english
  /// Whether hints are spoken.
  public var speaksHints = true
  /// Whether states are spoken, such as selected and dimmed.
  public var speaksStates = true

  public init() {}

  public init(perCharacter: TimeSpan, grace: TimeSpan) {
    self.perCharacter = perCharacter
    self.grace = grace
  }
}
