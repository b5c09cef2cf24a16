// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// A stream for lines of text that nobody may ever read: a line without room is not written.
///
/// Standard error is shared with other processes, whose writes would fail too if it were made
/// non-blocking. So pipes and terminals are opened once more, which gives this process a
/// description of its own; sockets take a flag with each write; and files never make anybody wait.
package final class Outlet {
  private enum Way {
    case file, socket
    /// Opened once more, without waiting.
    case own
    /// Only the shared description is there; it is asked for room before each write.
    case shared
  }

  /// The descriptor that is written to: the given one, or one that was opened once more.
  private let number: Int32
  private let own: FileDescriptor?
  private let way: Way
  /// The last line was written in part: the next one begins a line of its own.
  private var isTorn = false

  /// The most that a pipe with room takes at once, whoever else writes.
  private static let share = 4_096

  /// Writes to what is behind this descriptor, which stays its owner's.
  package init(over number: Int32) {
    var status = linux_status()
    let isKnown = linux_status_of_descriptor(number, &status) == 0
    if isKnown, status.is_file != 0 || status.is_socket != 0 {
      way = status.is_file != 0 ? .file : .socket
      self.number = number
      own = nil
      return
    }
    do throws(Errno) {
      let opened = try FileDescriptor.open(
        "/proc/self/fd/\(number)",
        [.writeOnly, .nonBlocking, .noTerminal]
      )
      self.number = opened.number
      own = consume opened
      way = .own
    } catch {
      self.number = number
      own = nil
      way = .shared
    }
  }

  /// Standard error.
  package static var standardError: Outlet { Outlet(over: 2) }

  /// Writes a text of whole lines; false where it could not be written whole, at once.
  package func offer(_ text: String) -> Bool {
    let bytes = Array(((isTorn ? "\n" : "") + text).utf8)
    let done = bytes.withUnsafeBytes { offer($0) }
    if done > 0 { isTorn = done < bytes.count }
    return done == bytes.count
  }

  private func offer(_ bytes: UnsafeRawBufferPointer) -> Int {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let written = offerOnce(rest)
      guard written > 0 else { break }
      done += written
    }
    return done
  }

  private func offerOnce(_ bytes: UnsafeRawBufferPointer) -> Int {
    switch way {
    case .file, .own: return Int(linux_write(number, bytes.baseAddress, bytes.count))
    case .socket: return Int(linux_send(number, bytes.baseAddress, bytes.count))
    case .shared:
      guard linux_wait_ready(number, Readiness.writable.rawValue, 0) > 0 else { return 0 }
      return Int(linux_write(number, bytes.baseAddress, min(bytes.count, Self.share)))
    }
  }
}

/// The stream that results go to.
package enum StandardOutput {
  /// The outcome of writing.
  package enum Outcome: Equatable {
    case written
    /// The reader has gone, as `head` does when it has enough: a reason to stop, not to complain.
    case closed
    case failed(Errno)
  }

  /// Writes all bytes, waiting for a slow reader.
  package static func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
    writeAll(bytes, to: 1)
  }

  package static func write(_ text: String) -> Outcome {
    writeAll(text, to: 1)
  }

  /// Whether the other end of a pipe is still open; true for a file.
  package static var hasReader: Bool {
    let output = FileDescriptor(adopting: 1)
    let state = try? output.waitReady(for: [], timeoutMilliseconds: 0)
    _ = output.relinquish()
    return state?.contains(.error) != true
  }
}

/// The stream that complaints go to.
package enum StandardError {
  /// Writes a text as it is; when even this fails there is nobody left to tell.
  package static func write(_ text: String) {
    _ = writeAll(text, to: 2)
  }
}

private func writeAll(_ text: String, to number: Int32) -> StandardOutput.Outcome {
  var text = text
  return text.withUTF8 { writeAll(UnsafeRawBufferPointer($0), to: number) }
}

private func writeAll(
  _ bytes: UnsafeRawBufferPointer,
  to number: Int32
) -> StandardOutput.Outcome {
  var done = 0
  while done < bytes.count {
    let result = linux_write(number, bytes.baseAddress! + done, bytes.count - done)
    guard result < 0 else {
      done += Int(result)
      continue
    }
    let error = Errno(rawValue: Int32(0 - result))
    switch error {
    case .brokenPipe: return .closed
    case .wouldBlock:
      // Another program that shares the terminal or pipe may have made it non-blocking.
      let ready = linux_wait_ready(number, Readiness.writable.rawValue, -1)
      guard ready >= 0 else { return .failed(Errno(rawValue: 0 - ready)) }
    default: return .failed(error)
    }
  }
  return .written
}
