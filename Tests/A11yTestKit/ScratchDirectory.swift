// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A real directory that goes with the object that made it.
package final class ScratchDirectory: Sendable {
  package let path: String

  package init() throws {
    // Short, because the address of a socket has room for 107 bytes.
    path = "/tmp/a11yd-\(UUID().uuidString.prefix(13))"
    try FileManager.default.createDirectory(
      atPath: path,
      withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700]
    )
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of an entry, there or not.
  package func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

  /// The permission bits of an entry.
  package func mode(_ name: String) throws -> UInt32 {
    let attributes = try FileManager.default.attributesOfItem(atPath: self(name))
    let mode = attributes[.posixPermissions] as? NSNumber
    return mode?.uint32Value ?? 0
  }
}
