// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
import CSystemd
import Glibc

/// The journal's own entrance, for entries with fields.
///
/// libsystemd waits when the journal's queue is full, and a stuck journal would stop the bus. So a
/// second connection is asked first whether there is room; it never sends anything.
package struct JournalSocket: ~Copyable {
  package static let path = "/run/systemd/journal/socket"

  private let probe: FileDescriptor

  package init(path: String) throws(Errno) {
    probe = try UnixDatagram.connect(path: path)
  }

  /// Whether an entry would be taken at once.
  package borrowing func hasRoom() -> Bool {
    let readiness = try? probe.waitReady(for: .writable, timeoutMilliseconds: 0)
    return readiness == .writable
  }

  /// Sends one "NAME=value" for each field and says whether the journal took them.
  package borrowing func send(_ items: [String]) -> Bool {
    guard hasRoom() else { return false }
    var bytes: [UInt8] = []
    var ends: [Int] = []
    for item in items {
      bytes.append(contentsOf: item.utf8)
      ends.append(bytes.count)
    }
    return bytes.withUnsafeMutableBytes { buffer in
      guard let base = buffer.baseAddress else { return false }
      var start = 0
      let parts = ends.map { end in
        defer { start = end }
        return iovec(iov_base: base + start, iov_len: end - start)
      }
      return sd_journal_sendv(parts, Int32(parts.count)) >= 0
    }
  }
}
