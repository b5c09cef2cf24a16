// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire
import Glibc

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

  /// Prints lines, one after the other.
  func lines(_ texts: [String]) {
    for text in texts { line(text) }
  }

  /// Prints a line as it is.
  func line(_ bytes: Span<UInt8>) {
    buffer.append(bytes)
    endLine()
  }

  /// Prints lines with their newlines.
  func printBlock(_ bytes: Span<UInt8>) {
    guard bytes.count < Self.batch else {
      // Worth a write of its own, without a copy.
      writeBatch()
      bytes.withUnsafeBytes { write($0) }
      return
    }
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
    buffer.withUnsafeBytes { write($0) }
    buffer.clear()
  }

  private func write(_ bytes: UnsafeRawBufferPointer) {
    switch sink(bytes) {
    case .written: break
    case .closed: failure = failure ?? .readerHasEnough
    case .failed(let error):
      failure = failure ?? Failure(.inputOutput, "Writing failed: \(error).")
    }
  }
}

extension String {
  /// The text with everything in it visible.
  var visible: String { VisibleText.of(self) }
}

/// Tells a person at the terminal, now and then, how far a long piece of work has come.
final class Progress {
  /// Long enough that a screen reader has said one line before the next comes.
  private static let pause: UInt64 = 3_000_000

  var total: Int64 = 0
  private let verb: String
  private let clock: () -> UInt64
  private let onProgress: ((String) -> Void)?
  private var done: Int64 = 0
  private var told: UInt64

  /// A progress that goes to `onProgress`, or to nobody.
  init(_ verb: String, clock: @escaping () -> UInt64, onProgress: ((String) -> Void)?) {
    self.verb = verb
    self.clock = clock
    self.onProgress = onProgress
    told = clock()
  }

  /// The progress of this process, told where standard error is a terminal.
  convenience init(_ verb: String, _ output: Output) {
    self.init(
      verb,
      clock: SystemClock.monotonicMicroseconds,
      onProgress: isatty(2) == 1 ? output.complain : nil
    )
  }

  func addBytes(_ bytes: Int64) {
    done += bytes
    guard let onProgress else { return }
    let now = clock()
    guard now >= told + Self.pause else { return }
    told = now
    // Nobody knows how much comes by a pipe.
    onProgress(
      total > 0
        ? "\(verb) \(min(100, done * 100 / total)) percent of \(ByteSize.words(total))."
        : "\(verb) \(ByteSize.words(done)) so far."
    )
  }

  /// Announces a step that may take a while.
  func announce(step: String) { onProgress?(step) }
}

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

/// A file that gets its name when it is whole.
struct NewFile {
  let path: String
  /// The name while it is being written.
  let interim: String
  private let replaces: Bool

  /// Refuses a name that is taken, unless its file may be replaced.
  init(_ path: String, replacing replaces: Bool) throws(Failure) {
    self.path = path
    self.replaces = replaces
    interim = "\(path).\(getpid()).unfinished"
    if !replaces { try Self.refuse(path) }
    // A file that a process with our id has left.
    try? File.unlink(interim)
    Cleanup.prepare(interim)
    do throws(Errno) {
      // Announcements may be private: the file is for its owner alone from its first byte on.
      _ = try FileDescriptor.open(interim, [.writeOnly, .create, .exclusive], mode: 0o600)
    } catch {
      throw Failure(.inputOutput, "Writing \(path) failed: \(error).")
    }
  }

  private static func refuse(_ path: String) throws(Failure) {
    do throws(Errno) {
      _ = try File.measure(path)
    } catch {
      return
    }
    let words = "There is a file \(path); --force has it replaced."
    throw Failure(.fileIsThere, VisibleText.of(words))
  }

  /// Brings the file to the disk and gives it its name.
  func giveName() throws(Failure) {
    if !replaces { try Self.refuse(path) }
    do throws(Errno) {
      try FileDescriptor.open(interim, .readWrite).synchronize()
      try File.rename(interim, to: path)
    } catch {
      throw Failure(.inputOutput, VisibleText.of("Writing \(path) failed: \(error)."))
    }
  }

  /// Removes the unfinished file.
  func abandon() { try? File.unlink(interim) }

  /// Has a file written by its interim name, and gives it its own when it is whole.
  static func write<Result>(
    _ path: String,
    replacing replaces: Bool,
    _ body: (_ interim: String) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let new = try NewFile(path, replacing: replaces)
    do throws(Failure) {
      let result = try body(new.interim)
      try new.giveName()
      return result
    } catch {
      new.abandon()
      throw error
    }
  }
}

/// Removes the unfinished file when a signal ends the process.
private enum Cleanup {
  /// Written before the signals are asked for, and never freed.
  nonisolated(unsafe) private static var path: UnsafeMutablePointer<CChar>?

  static func prepare(_ file: String) {
    path = strdup(file)
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, Self.end) }
  }

  /// The signal handler, which calls async-signal-safe functions alone.
  private static let end: @convention(c) (Int32) -> Void = { number in
    if let path { unlink(path) }
    signal(number, SIG_DFL)
    raise(number)
  }
}
