// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The few operations of a benchmark on files.
enum Files {
  /// The content of a small file, such as those under /proc; nil when it cannot be read.
  static func text(_ path: String) -> String? {
    let number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { return nil }
    defer { close(number) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(number, &piece, piece.count)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += piece[..<count]
    }
  }

  /// Writes a new file that only its owner may read.
  static func create(_ text: String, to path: String) throws(BenchFailure) {
    try create(bytes: Array(text.utf8), to: path)
  }

  /// Writes a file for everybody in place of an older one.
  static func replace(_ path: String, with text: String) throws(BenchFailure) {
    let number = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard number >= 0 else { throw .system("open \(path)", errno) }
    defer { close(number) }
    let bytes = Array(text.utf8)
    guard Glibc.write(number, bytes, bytes.count) == bytes.count else {
      throw .system("write \(path)", errno)
    }
  }

  static func create(bytes: [UInt8], to path: String) throws(BenchFailure) {
    let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw .system("open \(path)", errno) }
    defer { close(number) }
    guard Glibc.write(number, bytes, bytes.count) == bytes.count else {
      throw .system("write \(path)", errno)
    }
  }

  /// Cuts a file to this many lines, of which it must have at least as many.
  static func cut(_ path: String, toLines lines: Int) throws(BenchFailure) {
    let number = open(path, O_RDWR | O_CLOEXEC)
    guard number >= 0 else { throw .system("open \(path)", errno) }
    defer { close(number) }
    var piece = [UInt8](repeating: 0, count: 1024 * 1024)
    var missing = lines
    var offset = 0
    while missing > 0 {
      let count = pread(number, &piece, piece.count, offset)
      guard count > 0 else { throw BenchFailure("\(path) has \(lines - missing) lines only") }
      var used = count
      for index in 0..<count where piece[index] == 0x0A {
        missing -= 1
        if missing == 0 {
          used = index + 1
          break
        }
      }
      offset += used
    }
    guard ftruncate(number, offset) == 0 else { throw .system("ftruncate \(path)", errno) }
  }

  static func isDirectory(_ path: String) -> Bool {
    guard let directory = opendir(path) else { return false }
    closedir(directory)
    return true
  }

  static func makeDirectory(_ path: String) throws(BenchFailure) {
    guard mkdir(path, 0o700) == 0 else { throw .system("mkdir \(path)", errno) }
  }

  /// The names in a directory, in any order; none where there is no directory.
  static func names(in path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { raw in
        String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Removes a file, or a directory with all that it holds, and follows no link.
  static func remove(_ path: String) {
    if unlink(path) == 0 { return }
    for name in names(in: path) { remove(path + "/" + name) }
    rmdir(path)
  }
}
