// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A file system that is soon full, in memory.
///
/// What fills it is a file of nobody's, which can be taken away again at once.
final class SmallDisk {
  let path: String
  private let filler: Int32
  private static let bytes = 64 * 1024 * 1024
  /// A piece is small enough that whoever fills it between other work does not keep that waiting.
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

  /// Why there cannot be one below `directory`; nil where there can.
  static func obstacle(below directory: String) -> String? {
    do throws(BenchFailure) {
      _ = try SmallDisk(at: directory + "/trial")
      return nil
    } catch {
      return error.sentence
    }
  }

  /// Takes a piece of what is free; true when nothing is.
  func fill() -> Bool {
    let taken = write(filler, SmallDisk.piece, SmallDisk.piece.count)
    return taken < 0 && errno == ENOSPC
  }

  /// Gives back all that was taken.
  func free() throws(BenchFailure) {
    guard ftruncate(filler, 0) == 0 else { throw .system("ftruncate", errno) }
  }
}
