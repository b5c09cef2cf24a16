// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

/// The output of the program: lines, collected until they are worth a write, and complaints, at
/// once.
final class Output {
  /// The target of a batch of lines.
  typealias Sink = (UnsafeRawBufferPointer) -> StandardOutput.Outcome

  /// The bytes of a batch: about as many as a pipe holds.
  private static let batch = 65_536

  private let sink: Sink
  private let complaints: (String) -> Void
  private var buffer = ByteBuffer(capacity: 1_024)
  /// The failure of an earlier write, thrown by the next flush.
  private var failure: Failure?

  init(
    to sink: @escaping Sink = { StandardOutput.write($0) },
    complaining complaints: @escaping (String) -> Void = { StandardError.write($0) }
  ) {
    self.sink = sink
    self.complaints = complaints
  }

  /// Prints a complaint at once, on standard error.
  func complain(_ words: String) { complaints("\(VisibleText.of(words))\n") }

  /// Prints a line.
  func line(_ text: String) {
    buffer.append(text: text)
    endLine()
  }

  /// Prints a line as it is.
  func line(_ bytes: Span<UInt8>) {
    buffer.append(bytes)
    endLine()
  }

  /// Prints lines with their newlines.
  func printBlock(_ bytes: Span<UInt8>) {
    buffer.append(bytes)
    if buffer.count >= Self.batch { writeBatch() }
  }

  /// Writes all printed lines; throws when nobody reads them.
  func flush() throws(Failure) {
    writeBatch()
    try check()
  }

  /// Throws when an earlier write has failed, so that long work need not go on.
  func check() throws(Failure) {
    if let failure { throw failure }
  }

  private func endLine() {
    buffer.append("\n")
    if buffer.count >= Self.batch { writeBatch() }
  }

  private func writeBatch() {
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
