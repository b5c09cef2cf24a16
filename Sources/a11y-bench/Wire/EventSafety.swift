// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// How safe an event has to be before its publisher is answered.
enum EventSafety: String {
  /// It survives the daemon, which is what a publisher gets who asks for nothing.
  case written
  /// It survives a loss of power.
  case synced

  /// What a request says of it.
  var field: String {
    switch self {
    case .written: ""
    case .synced: #""ack":"synced","#
    }
  }

  /// Whether a reply says so.
  ///
  /// It does so last, unless the event has earned advice, and that is nothing to be measured.
  @inline(__always)
  func isGiven(by reply: UnsafeRawBufferPointer) -> Bool {
    switch self {
    case .written: EventSafety.ends(reply, with: #""durability":"written"}}"#)
    case .synced: EventSafety.ends(reply, with: #""durability":"synced"}}"#)
    }
  }

  @inline(__always)
  private static func ends(_ reply: UnsafeRawBufferPointer, with words: StaticString) -> Bool {
    let count = words.utf8CodeUnitCount
    guard let base = reply.baseAddress, reply.count > count else { return false }
    return memcmp(base + reply.count - 1 - count, words.utf8Start, count) == 0
  }
}
