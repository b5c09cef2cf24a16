// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A request that a client has sent and is not answered yet.
enum Asked {
  case hello
  case publish(SentEvent)
  case ping
  case subscribe(Wish)
  case unsubscribe
  /// The state right after this entry, or the present one.
  case state(at: Int64?)
  /// Rules are to be read again.
  case reload
  /// An app is to be forgotten, of which there were entries up to this one.
  case forget(app: String, through: Int64)

  /// A client's wish to be sent entries.
  struct Wish {
    enum From {
      case now, start
      case cursor(epoch: String, seq: Int64)
    }

    let from: From
    let filter: SimFilter?
    let isLatest: Bool
    /// It wants to be told first what is the case.
    let hasState: Bool

    var request: String {
      var text = "\"op\":\"subscribe\""
      switch from {
      case .now: text += ",\"from\":\"now\""
      case .start: text += ",\"from\":\"start\""
      case .cursor(let epoch, let seq): text += ",\"from\":\"\(epoch):\(seq)\""
      }
      if let filter { text += ",\"filter\":\(filter.json)" }
      if hasState { text += ",\"state\":true" }
      if isLatest { text += ",\"mode\":\"latest\"" }
      return text
    }
  }
}
