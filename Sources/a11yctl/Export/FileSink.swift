// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix

/// An empty file as the target of printed lines.
final class FileSink {
  private let file: FileDescriptor

  init(_ path: String) throws(Failure) {
    do throws(Errno) {
      file = try FileDescriptor.open(path, [.writeOnly])
    } catch {
      throw Failure(.inputOutput, VisibleText.of("Writing \(path) failed: \(error)."))
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> StandardOutput.Outcome {
    do throws(Errno) {
      try file.writeAll(bytes)
      return .written
    } catch {
      return .failed(error)
    }
  }
}
