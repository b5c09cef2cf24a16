// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yForward

/// The removal of forgotten entries of one machine from the stream of all.
///
/// It asks for messages by their number, which NATS allows for the whole stream or not at all.
struct NatsEraser {
  let link: NatsLink
  let stream: String
  let subject: String

  /// Removes the entries with these seqs that stand before a message of the same machine.
  ///
  /// That one stays: an older server would take the subject without its newest message for empty.
  func erase(
    _ range: ClosedRange<Int64>,
    _ epochs: EpochLine,
    before end: Int64
  ) throws(ForwardFailure) -> Erasure {
    var erasure = Erasure()
    let to = StoredPlace(range.upperBound, epochs)
    var next = try first(StoredPlace(range.lowerBound, epochs), epochs, upTo: end)
    while let message = next, let place = message.storedPlace(in: epochs), place <= to {
      guard message.number < end else { break }
      if !message.isGap {
        let answer = try inquire("STREAM.MSG.DELETE", #"{"seq":\#(message.number)}"#)
        // A question that was asked twice is refused, though the message is gone.
        if let words = answer.refusal,
          try self.message(from: message.number)?.number == message.number
        {
          erasure.refusal = words
        } else {
          erasure.erased += 1
        }
      }
      next = try self.message(from: message.number + 1)
    }
    return erasure
  }

  /// The first message of this machine at or behind a place in the log.
  private func first(
    _ place: StoredPlace,
    _ epochs: EpochLine,
    upTo end: Int64
  ) throws(ForwardFailure) -> StoredMessage? {
    var (low, high): (Int64, Int64) = (1, end + 1)
    var found: StoredMessage?
    while low < high {
      let middle = low + (high - low) / 2
      let message = try self.message(from: middle)
      if let message, let its = message.storedPlace(in: epochs), its < place {
        low = message.number + 1
      } else {
        high = middle
        found = message
      }
    }
    return found
  }

  /// The first message of this machine from a number of the stream on.
  private func message(from number: Int64) throws(ForwardFailure) -> StoredMessage? {
    let answer = try inquire(
      "STREAM.MSG.GET",
      #"{"seq":\#(number),"next_by_subj":"\#(subject)"}"#
    )
    if answer.code == JetStreamAnswer.Code.noMessage { return nil }
    let message = try StoredMessage(answer)
    // One that goes back would have us ask for ever.
    guard message.number >= number else { throw .engine("it answers with an older message") }
    return message
  }

  /// Whether somebody answers to questions about the whole stream.
  var isReachable: Bool {
    get throws(ForwardFailure) {
      let request = #"{"last_by_subj":"\#(subject)"}"#
      return try link.reach("$JS.API.STREAM.MSG.GET.\(stream)", request) != nil
    }
  }

  private func inquire(_ what: String, _ body: String) throws(ForwardFailure) -> JetStreamAnswer {
    try JetStreamAnswer(link.inquire("$JS.API.\(what).\(stream)", body))
  }
}
