// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// What is assumed of a reader that does not report the end of what it speaks.
public struct ReaderPace: Sendable, Equatable {
  /// How long a character takes, in microseconds.
  public var perCharacter: Int64 = 50_000
  /// How long it may take beyond that.
  public var grace: Int64 = 2_000_000

  /// The language of all that is said in our own words.
  public var language = "en"
  /// Whether hints are spoken.
  public var speaksHints = true

  public init() {}

  /// In whole milliseconds, as entries have it.
  public init(millisecondsPerCharacter: Int64, graceMilliseconds: Int64) {
    perCharacter = Times.milliseconds(millisecondsPerCharacter)
    grace = Times.milliseconds(graceMilliseconds)
  }
}
