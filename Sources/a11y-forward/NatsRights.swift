// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yForward
import CNats
import Synchronization

/// The rights that the server has refused to the present connection.
///
/// A thread of the library tells them, whenever it comes to it; the thread that asks looks here
/// when an answer does not come.
enum NatsRights {
  private static let refused = Mutex<[String]>([])
  /// Refusals that are kept: the first ones tell what is wrong.
  private static let most = 16

  /// Begins with a new connection.
  static func forgetAll() { refused.withLock { $0 = [] } }

  /// Listens to what a connection tells beside its answers.
  static let listener: natsErrHandler = { connection, _, status, _ in
    guard status == NATS_NOT_PERMITTED else { return }
    var words: UnsafePointer<CChar>?
    _ = natsConnection_GetLastError(connection, &words)
    guard let words else { return }
    let text = String(cString: words)
    refused.withLock { if $0.count < most { $0.append(text) } }
  }

  /// The right that is missing for a question, which is told once for each time of asking.
  static func takeMissing(inbox: String) -> MissingRight? {
    refused.withLock { texts in
      let rights = texts.compactMap { MissingRight($0, inbox: inbox) }
      // Without the right to hear answers all other questions fail, too: it stays.
      let lasting = texts.filter { $0.contains("\"\(inbox).") }
      texts = lasting
      return lasting.first.flatMap { MissingRight($0, inbox: inbox) } ?? rights.last
    }
  }
}
