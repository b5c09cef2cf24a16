// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// A refusal of the kernel, by its number.
///
/// Every system call of ours reports its error in the result, as a negative number, so that a value
/// of this type is made at one place (`check`) and never from a stale `errno`.
package struct Errno: Error, Hashable {
  package let rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// The C library's error of this thread, for the few calls that are not ours.
  package static var current: Errno { Errno(rawValue: errno) }

  /// Turns a negative result into the error it stands for.
  @discardableResult
  package static func check(_ result: Int32) throws(Errno) -> Int32 {
    guard result < 0 else { return result }
    throw Errno(rawValue: 0 - result)
  }

  /// Turns a negative count into the error it stands for.
  static func check(_ result: Int64) throws(Errno) -> Int64 {
    guard result < 0 else { return result }
    throw Errno(rawValue: Int32(0 - result))
  }
}

extension Errno: CustomStringConvertible {
  /// The sentence for people and the symbol for search engines: "No space left on device
  /// (ENOSPC)".
  package var description: String {
    guard let text = linux_errno_text(rawValue) else { return "Unknown error \(rawValue)" }
    return "\(String(cString: text)) (\(symbol))"
  }

  /// The name in the manual pages, "ENOSPC", or the bare number.
  package var symbol: String {
    linux_errno_name(rawValue).map { String(cString: $0) } ?? String(rawValue)
  }
}

extension Errno {
  package static let addressInUse = Errno(rawValue: EADDRINUSE)
  package static let badFileDescriptor = Errno(rawValue: EBADF)
  package static let brokenPipe = Errno(rawValue: EPIPE)
  package static let connectionRefused = Errno(rawValue: ECONNREFUSED)
  package static let connectionReset = Errno(rawValue: ECONNRESET)
  package static let diskQuotaExceeded = Errno(rawValue: EDQUOT)
  package static let fileExists = Errno(rawValue: EEXIST)
  package static let fileTooLarge = Errno(rawValue: EFBIG)
  package static let fileTableOverflow = Errno(rawValue: ENFILE)
  package static let inputOutput = Errno(rawValue: EIO)
  package static let invalidArgument = Errno(rawValue: EINVAL)
  package static let isDirectory = Errno(rawValue: EISDIR)
  package static let nameTooLong = Errno(rawValue: ENAMETOOLONG)
  package static let noBufferSpace = Errno(rawValue: ENOBUFS)
  package static let noMemory = Errno(rawValue: ENOMEM)
  package static let noSpace = Errno(rawValue: ENOSPC)
  package static let noSuchDevice = Errno(rawValue: ENXIO)
  package static let noSuchFile = Errno(rawValue: ENOENT)
  package static let notDirectory = Errno(rawValue: ENOTDIR)
  package static let notPermitted = Errno(rawValue: EPERM)
  package static let permissionDenied = Errno(rawValue: EACCES)
  package static let readOnlyFileSystem = Errno(rawValue: EROFS)
  package static let timedOut = Errno(rawValue: ETIMEDOUT)
  package static let tooManyOpenFiles = Errno(rawValue: EMFILE)
  package static let wouldBlock = Errno(rawValue: EAGAIN)
}
