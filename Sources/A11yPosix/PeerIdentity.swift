// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The process that opened the other end of a Unix socket, as the kernel noted it on connecting.
///
/// The user cannot be forged. The process may have ended since and its number be in use again.
package struct PeerIdentity: Hashable, Sendable {
  package let uid: UInt32
  package let pid: Int32

  package init(uid: UInt32, pid: Int32) {
    self.uid = uid
    self.pid = pid
  }
}
