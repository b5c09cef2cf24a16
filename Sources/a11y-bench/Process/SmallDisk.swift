// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A small file system in memory, which a filler file makes full and free again.
final class SmallDisk {
  let path: String
  private let filler: Int32
  private static let bytes = 64 * 1024 * 1024
  /// A piece of the filler, small enough not to delay other work.
  private static let piece = [UInt8](repeating: 0x78, count: 1024 * 1024)

  /// Makes the directory `path` and mounts a file system there, which takes root.
  init(at path: String) throws(BenchFailure) {
    self.path = path
    try Files.makeDirectory(path)
    let result = Leftovers.mount(at: path) {
      mount("tmpfs", path, "tmpfs", 0, "size=\(SmallDisk.bytes),mode=0700") == 0 ? 0 : errno
    }
    guard result == 0 else {
      rmdir(path)
      throw .system("mounting a small file system", result)
    }
    filler = open(path + "/filler", O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
    guard filler >= 0 else {
      Leftovers.unmount(path)
      throw .system("open \(path)/filler", errno)
    }
  }

  deinit {
    close(filler)
    Leftovers.unmount(path)
    rmdir(path)
  }

  /// The reason why no file system can be mounted below `directory`, if there is one.
  static func obstacle(below directory: String) -> String? {
    do throws(BenchFailure) {
      _ = try SmallDisk(at: directory + "/trial")
      return nil
    } catch {
      return error.sentence
    }
  }

  /// Fills a piece; true when the disk is full.
  func fill() -> Bool {
    let taken = write(filler, SmallDisk.piece, SmallDisk.piece.count)
    return taken < 0 && errno == ENOSPC
  }

  /// Empties the filler.
  func free() throws(BenchFailure) {
    guard ftruncate(filler, 0) == 0 else { throw .system("ftruncate", errno) }
  }
}
