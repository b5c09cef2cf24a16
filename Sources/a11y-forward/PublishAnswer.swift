// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yForward

/// The answer of JetStream to a message.
enum PublishAnswer {
  /// The message waits for the rest of its batch.
  case staged
  /// The number in the stream, of a batch that of its last message.
  case taken(Int64)
  case refused(code: Int64, words: String)

  init(_ bytes: [UInt8]) throws(ForwardFailure) {
    if bytes.isEmpty {
      self = .staged
      return
    }
    let answer = try JetStreamAnswer(bytes)
    if let words = answer.refusal {
      self = .refused(code: answer.code ?? 0, words: words)
    } else if let number = answer.content["seq"]?.integer?.ifReachable {
      self = .taken(number)
    } else {
      throw .engine("it answers without a number")
    }
  }
}
