// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A file that only grows: a log without a bus.
final class AppendedFile {
  private let number: Int32

  init(at path: String) throws(BenchFailure) {
    number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw .system("open \(path)", errno) }
  }

  deinit { close(number) }

  /// Appends bytes, and returns when they survive a loss of power.
  func append(_ bytes: [UInt8]) throws(BenchFailure) {
    guard write(number, bytes, bytes.count) == bytes.count else { throw .system("write", errno) }
    guard fdatasync(number) == 0 else { throw .system("fdatasync", errno) }
  }
}
