// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Directories by their names.
package enum Directory {
  /// Makes a directory and what is missing above it, all with `mode`; one that exists stays as is.
  package static func create(_ path: String, mode: UInt32) throws(Errno) {
    do {
      try createLast(path, mode: mode)
    } catch .noSuchFile {
      let above = parent(of: path)
      guard above != path else { throw .noSuchFile }
      try create(above, mode: mode)
      try createLast(path, mode: mode)
    }
  }

  /// The names in a directory, sorted; "." and ".." are left out, and names that are not UTF-8,
  /// since none of ours is.
  package static func names(_ path: String) throws(Errno) -> [String] {
    try names(path, atMost: .max) ?? []
  }

  /// The names in a directory, sorted, or nil where there are more of them.
  package static func names(_ path: String, atMost most: Int) throws(Errno) -> [String]? {
    var opened: UnsafeMutableRawPointer?
    try Errno.check(linux_list_open(path, &opened))
    guard let list = opened else { return [] }
    defer { linux_list_close(list) }

    var names: [String] = []
    var name: UnsafePointer<CChar>?
    while try Errno.check(linux_list_next(list, &name)) == 1 {
      guard let name, let text = String(validatingCString: name) else { continue }
      if names.count == most { return nil }
      names.append(text)
    }
    return names.sorted()
  }

  /// Makes names that were created, renamed or removed in a directory last through a power cut.
  package static func synchronize(_ path: String) throws(Errno) {
    try FileDescriptor.open(path, [.readOnly, .directory]).synchronize()
  }

  /// Makes a directory whose parent exists.
  static func createLast(_ path: String, mode: UInt32) throws(Errno) {
    let made = linux_make_directory(path, mode)
    guard made == 0 - Errno.fileExists.rawValue else {
      try Errno.check(made)
      return
    }
    _ = try FileDescriptor.open(path, [.readOnly, .directory])
  }

  static func parent(of path: String) -> String {
    let trimmed = path.drop(from: { $0 == "/" })
    guard let slash = trimmed.lastIndex(of: "/") else { return path.hasPrefix("/") ? "/" : "." }
    let above = trimmed[..<slash].drop(from: { $0 == "/" })
    return above.isEmpty ? "/" : String(above)
  }
}

extension StringProtocol {
  /// Without the characters at the end that fit.
  fileprivate func drop(from fits: (Character) -> Bool) -> SubSequence {
    guard let last = lastIndex(where: { !fits($0) }) else { return self[startIndex..<startIndex] }
    return self[...last]
  }
}
