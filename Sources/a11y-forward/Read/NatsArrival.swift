// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yForward

/// A message from a consumer of JetStream, or the end of those that were asked for.
enum NatsArrival {
  struct Delivery {
    let subject: String
    let epoch: String
    /// The epochs of the log, of an entry that says what was forgotten.
    let epochs: String?
    let line: [UInt8]
    /// The subject at which the message is said to be done.
    let reply: String
    /// The number in the stream.
    let place: Int64
    /// The number among those of the consumer, which begins with 1.
    let number: Int64
    /// The instant at which the stream got it, in microseconds since 1970.
    let time: Int64
    /// The messages behind it that the stream has.
    let left: Int64
  }

  case delivery(Delivery)
  case end
  case refusal(String)

  /// A status in the place of a message, as HTTP has them.
  init(status: String, _ description: String) {
    switch status {
    case "404", "408": self = .end
    case "503": self = .refusal("JetStream does not answer")
    default: self = .refusal(description.isEmpty ? "it answers with \(status)" : description)
    }
  }

  /// Reads the numbers off the subject to which an answer would go:
  /// `$JS.ACK.STREAM.CONSUMER.TRIES.NUMBER.OURS.TIME.LEFT`, or with a domain and an account behind
  /// `ACK`.
  init(
    answeringTo reply: String,
    _ subject: String,
    _ epoch: String,
    epochs: String?,
    _ line: [UInt8]
  ) {
    let parts = reply.split(separator: ".")
    let shift = parts.count > 9 ? 2 : 0
    guard parts.count >= 9 + shift, let place = Int64(parts[5 + shift])?.ifReachable,
      let number = Int64(parts[6 + shift]),
      let time = Int64(parts[7 + shift]), let left = Int64(parts[8 + shift])
    else {
      self = .refusal("it hands out a message without its number")
      return
    }
    self = .delivery(
      Delivery(
        subject: subject,
        epoch: epoch,
        epochs: epochs,
        line: line,
        reply: reply,
        place: place,
        number: number,
        time: time / 1_000,
        left: left
      )
    )
  }
}
