// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPresenter
internal import A11yWire

// In few words.
extension Sentences {
  /// “was heard”, or “was not heard: it repeats 41”; the event is the subject.
  package static func brief(_ ending: EventEnding) -> String {
    let why = ending.why
    let lead = extent(why.heard ?? .zero)
    switch ending.known {
    case .heard:
      if why.isSilent { return "was heard, without words" }
      if why.isElsewhere { return "is taken as heard: it was left to another program" }
      return why.isEstimated ? "is taken as heard: the reader has not said so" : "was heard"
    case .handled: return "was handled: its app did what the user asked for"
    case .unhandled: return "was not handled: no app did what the user asked for"
    case .interrupted:
      if ending.ownRule == .onceMore { return "\(lead): it was cut off, and could not begin again" }
      return
        "\(lead): \(stop(ending) ?? ending.by.map { "\(name($0)) cut it off" } ?? "it was cut off")"
    case .superseded, .coalesced:
      return "\(lead): \(ending.by.map(name) ?? "another") is newer and came in its place"
    case .cancelled:
      return "\(lead): its app withdrew it\(ending.by.map { ", with \(name($0))" } ?? "")"
    case .duplicate: return "\(lead): it repeats \(ending.by.map(name) ?? "an earlier one")"
    case .summarised:
      let place = ending.by.map { "the summary that came in place of \(name($0))" }
      return "\(lead) by itself: \(place ?? "a summary that came in its place") counts it"
    case .expired:
      if ending.ownRule == .queueBound { return "\(lead): too many others were waiting" }
      return
        "\(lead): it could not begin \(why.ttl.map { "within \(Lengths.exact($0))" } ?? "in time")"
    case .inhibited: return "\(lead): \(inhibition(ending))"
    case .denied: return "\(lead): \(denial(ending))"
    case .undeliverable: return "\(lead): \(obstacle(ending))"
    case nil: return "ended as \(ending.result)\(ending.by.map { ", by \(name($0))" } ?? "")"
    }
  }

  private static func inhibition(_ ending: EventEnding) -> String {
    switch ending.why.reason {
    case .background: "its app is in the background"
    case .mediaSession: "sound or video is playing in the active window"
    case .screenChanged: "its window had just got a new screen"
    case .modal, .moved, .missing, .rate, .noReader, .readerOff, .reader, .noReport, .reported, nil:
      ending.by.map { "\(name($0)) had come just before" }
        ?? "\(quoted(ending.rule)) keeps it on record only"
    }
  }

  private static func denial(_ ending: EventEnding) -> String {
    switch ending.denialReason {
    case .modal: "a modal window lies over the place that it came from"
    case let reason?: refusedFocus(reason)
    case nil: "\(quoted(ending.rule)) turned it down"
    }
  }

  private static func obstacle(_ ending: EventEnding) -> String {
    if ending.why.isSensitive { return "its text is secret, and was gone when the bus came back" }
    if let count = ending.why.count {
      return failure(ending.why.reason, count)
    }
    switch ending.why.reason {
    case .noReader: return "no screen reader was connected"
    case .readerOff: return "the screen reader was switched off"
    case .background, .modal, .mediaSession, .moved, .missing, .rate, .screenChanged, .reader,
      .noReport, .reported, nil:
      return "there was nobody to deliver it to"
    }
  }
}
