// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

/// What the program says: lines, kept until they are worth a write, and complaints, at once.
final class Output {
  /// Where a batch of lines goes.
  typealias Sink = (UnsafeRawBufferPointer) -> StandardOutput.Outcome

  /// A batch is written when it has grown to this, about what a pipe holds.
  private static let batch = 65_536

  private let sink: Sink
  private let complaints: (String) -> Void
  private var buffer = ByteBuffer(capacity: 1_024)
  /// What came of writing behind the caller's back, told at the next flush.
  private var failure: Failure?

  init(
    to sink: @escaping Sink = { StandardOutput.write($0) },
    complaining complaints: @escaping (String) -> Void = { StandardError.write($0) }
  ) {
    self.sink = sink
    self.complaints = complaints
  }

  /// Says at once what does not belong to the results.
  func complain(_ words: String) { complaints("\(VisibleText.of(words))\n") }

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

  /// Prints lines that have their ends already.
  func lines(_ bytes: Span<UInt8>) {
    buffer.append(bytes)
    if buffer.count >= Self.batch { write() }
  }

  /// Writes what has been printed; throws when nobody reads it.
  func flush() throws(Failure) {
    write()
    try check()
  }

  /// Throws when what was printed so far could not be written, so that long work need not go on.
  func check() throws(Failure) {
    if let failure { throw failure }
  }

  private func end() {
    buffer.append("\n")
    if buffer.count >= Self.batch { write() }
  }

  private func write() {
    guard !buffer.isEmpty else { return }
    let outcome = buffer.withUnsafeBytes { sink($0) }
    buffer.clear()
    switch outcome {
    case .written: break
    case .closed: failure = failure ?? .readerHasEnough
    case .failed(let error):
      failure = failure ?? Failure(.inputOutput, "Writing failed: \(error).")
    }
  }
}
