// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A word for the reason of an end, or of a denied wish, where no number says it.
public enum Reason: Sendable, Equatable {
  /// The app is in the background.
  case background
  /// Something modal lies over the place.
  case modal
  case mediaSession
  /// The user has gone on since.
  case moved
  /// The element is not there, or is none to be stopped at.
  case missing
  /// The app has asked too often.
  case rate
  /// A new screen has just come.
  case screenChanged
  case noReader
  case readerOff
  /// The reader has stopped by itself.
  case reader
  /// The reader has not said what became of the utterance.
  case noReport
  /// The reader's own word for its failure.
  case reported(String)

  /// The reasons that have a word of ours.
  public static let own: [Reason] = [
    .background, .modal, .mediaSession, .moved, .missing, .rate, .screenChanged, .noReader,
    .readerOff, .reader, .noReport,
  ]
}

extension Reason: RawRepresentable {
  public var rawValue: String {
    switch self {
    case .background: "background"
    case .modal: "modal"
    case .mediaSession: "media-session"
    case .moved: "moved"
    case .missing: "missing"
    case .rate: "rate"
    case .screenChanged: "screen-changed"
    case .noReader: "no reader"
    case .readerOff: "reader off"
    case .reader: "reader"
    case .noReport: "no report"
    case .reported(let words): words
    }
  }

  public init(rawValue: String) {
    self = Self.own.first { $0.rawValue == rawValue } ?? .reported(rawValue)
  }
}
