// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix

/// The journal's own entrance, for entries with fields.
///
/// `sd_journal_send` waits while the journal's queue is full, and a stuck journal would stop the
/// bus. So the entry goes out from here, in the journal's native format, at once or not at all.
package struct JournalSocket: ~Copyable {
  package static let path = "/run/systemd/journal/socket"

  private let socket: UnixDatagram

  /// Throws where there is no journal.
  package init(path: String) throws(Errno) {
    _ = try FileIdentity(path: path)
    socket = try UnixDatagram(to: path)
  }

  /// Sends one "NAME=value" for each field and says whether the journal took them.
  package borrowing func send(_ items: [String]) -> Bool {
    do throws(Errno) {
      let datagram = Self.datagram(items)
      try socket.send(datagram.span)
      return true
    } catch {
      return false
    }
  }

  /// A line for each field; one whose value has lines of its own states its length instead.
  package static func datagram(_ items: [String]) -> [UInt8] {
    var bytes: [UInt8] = []
    let newline = UInt8(ascii: "\n")
    for item in items {
      let item = item.utf8
      if !item.contains(newline) {
        bytes += item
      } else if let equals = item.firstIndex(of: UInt8(ascii: "=")) {
        let value = item[item.index(after: equals)...]
        bytes += item[..<equals]
        bytes.append(newline)
        withUnsafeBytes(of: UInt64(value.count).littleEndian) { bytes += $0 }
        bytes += value
      }
      bytes.append(newline)
    }
    return bytes
  }
}
