// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The assumed pace of a reader that does not report when it has spoken.
public struct ReaderPace: Sendable, Equatable {
  /// Microseconds for a character.
  public var perCharacter: Int64 = 50_000
  /// Microseconds that an utterance may take beyond its characters.
  public var grace: Int64 = 2_000_000

  /// The language of the bus's own words.
  public var language = "en"
  /// Whether hints are spoken.
  public var speaksHints = true

  public init() {}

  /// The pace in whole milliseconds, as entries have it.
  public init(millisecondsPerCharacter: Int64, graceMilliseconds: Int64) {
    perCharacter = Times.milliseconds(millisecondsPerCharacter)
    grace = Times.milliseconds(graceMilliseconds)
  }
}
