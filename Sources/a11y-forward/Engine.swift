// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yForward

/// An engine that keeps the logs of machines; each call has a deadline of seconds.
protocol Engine: AnyObject {
  /// The newest entry of this machine; nil where there is none.
  func last() throws(ForwardFailure) -> EngineLast?

  /// Adds the lines behind the newest entry, all or those before a refusal, which is thrown.
  func handOver(_ batch: Batch, _ epochs: EpochLine) throws(ForwardFailure)

  /// Removes the entries with these seqs, as far as it has them and allows it.
  func erase(_ range: ClosedRange<Int64>, _ epochs: EpochLine) throws(ForwardFailure) -> Erasure

  /// Keeps a sign of life of this machine; returns the reason where it may not.
  func keep(_ sign: SignOfLife) throws(ForwardFailure) -> String?

  /// The sentence about trouble that does not stop the sending; nil where all is well.
  var caution: String? { get }

  /// Makes sure that the engine is still there.
  func check() throws(ForwardFailure)
}

/// The result of an erasure.
struct Erasure {
  var erased = 0
  /// The reason why some could not be erased.
  var refusal: String?
  /// Whether it is left to the process of an operator, since this machine may not.
  var isLeft = false
}
