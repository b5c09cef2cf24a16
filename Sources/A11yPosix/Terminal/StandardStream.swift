// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

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
