// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The safety of an event for which its publisher waits.
enum EventSafety: String {
  /// The event survives the daemon; the default of the protocol.
  case written
  /// The event survives a loss of power.
  case synced

  /// The field of a request.
  var field: String {
    switch self {
    case .written: ""
    case .synced: #""ack":"synced","#
    }
  }

  /// Whether a reply confirms it.
  ///
  /// The durability is the last member, unless advice follows, which no measured event earns.
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
