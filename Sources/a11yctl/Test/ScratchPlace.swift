// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Glibc

/// A directory of our own for a while, which nobody else may enter.
struct ScratchPlace {
  let path: String

  /// The bytes that a path to a socket may have, with room for a name within the directory.
  private static let longest = 80
  /// The depth to which directories are removed; the log has one level of its own.
  private static let depth = 4

  init(_ name: String) throws(Failure) {
    let wanted = Environment.value("TMPDIR").map { $0.hasPrefix("/") ? $0 : "/tmp" } ?? "/tmp"
    // The path of a socket has little room.
    let base = wanted.utf8.count + name.utf8.count > Self.longest ? "/tmp" : wanted
    var template = Array("\(base)/\(name).XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      let words = "A directory in \(base) cannot be made: \(String(cString: strerror(errno)))."
      throw Failure(.inputOutput, words)
    }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The path of a file in it.
  func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

  /// Removes the directory and all that is in it.
  func remove() { Self.remove(path, depth: Self.depth) }

  private static func remove(_ path: String, depth: Int) {
    guard depth > 0, let names = try? Directory.names(path) else { return }
    for name in names {
      let inner = "\(path)/\(name)"
      // A directory cannot be unlinked.
      if unlink(inner) != 0 { remove(inner, depth: depth - 1) }
    }
    rmdir(path)
  }
}
