// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yForward

/// The reason why the thread has to begin anew.
enum ForwardFailure: Error {
  case bus(String)
  case engine(String)
  /// The engine denies this machine a right that NATS names.
  case forbidden(MissingRight)
  /// The plan is another now.
  case replanned
}

extension ForwardFailure {
  /// The words of the engine; nil where something else is the reason.
  var engineReason: String? {
    switch self {
    case .engine(let words): words
    case .forbidden(let right): right.sentence
    case .bus, .replanned: nil
    }
  }
}
