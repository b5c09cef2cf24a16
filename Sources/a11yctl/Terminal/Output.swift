// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

/// What the program prints, kept until it is worth a write: one for a batch of lines.
final class Output {
  /// A batch is written when it has grown to this, about what a pipe holds.
  private static let batch = 65_536

  private var buffer = ByteBuffer(capacity: 1_024)
  /// What came of writing behind the caller's back, told at the next flush.
  private var failure: Failure?

  /// Prints a line.
  func line(_ text: String) {
    buffer.append(text: text)
    end()
  }

  /// Prints a line as it is.
  func line(_ bytes: Span<UInt8>) {
    buffer.append(bytes)
    end()
  }

  /// Writes what has been printed; throws when nobody reads it.
  func flush() throws(Failure) {
    write()
    if let failure { throw failure }
  }

  private func end() {
    buffer.append("\n")
    if buffer.count >= Self.batch { write() }
  }

  private func write() {
    guard !buffer.isEmpty else { return }
    let outcome = buffer.withUnsafeBytes { StandardOutput.write($0) }
    buffer.clear()
    switch outcome {
    case .written: break
    case .closed: failure = failure ?? .readerHasEnough
    case .failed(let error):
      failure = failure ?? Failure(.inputOutput, "Writing failed: \(error).")
    }
  }
}
