// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire
import Glibc

/// Lines from a file or from standard input, one after the other.
struct InputLines: ~Copyable {
  /// The next line, or the end.
  enum Step {
    case line
    /// A line of more bytes than the limit, which was passed over.
    case tooLong
    case end
  }

  private static let block = 262_144

  private let file: FileDescriptor
  private let shown: String
  private let progress: Progress?
  private var splitter: LineSplitter
  private var buffer = ByteBuffer(capacity: 2 * block)
  /// The beginning of the next line, and the place of the line at hand.
  private var next = 0
  private var place = 0..<0
  private var isAtEnd = false

  /// Opens a file, or standard input where its name is `-`.
  init(_ path: String, limit: Int, _ progress: Progress? = nil) throws(Failure) {
    self.progress = progress
    splitter = LineSplitter(limit: limit)
    guard path != "-" else {
      file = FileDescriptor(adopting: 0)
      shown = "standard input"
      return
    }
    shown = VisibleText.of(path)
    do throws(Errno) {
      file = try FileDescriptor.open(path, .readOnly)
    } catch {
      throw Failure(.noInput, "\(shown) cannot be read: \(error).")
    }
    progress?.total = (try? Int64(file.size())) ?? 0
  }

  /// Reads from a descriptor; `shown` names it in complaints.
  init(_ file: consuming FileDescriptor, shown: String, limit: Int) {
    progress = nil
    splitter = LineSplitter(limit: limit)
    self.file = file
    self.shown = shown
  }

  /// The line at hand, without its end.
  var line: Span<UInt8> {
    @_lifetime(borrow self)
    get { buffer.bytes.extracting(place) }
  }

  /// Goes to the next line; the last one may lack its newline.
  mutating func nextStep() throws(Failure) -> Step {
    while true {
      var splitter = self.splitter
      let step = splitter.step(buffer.bytes, from: next)
      self.splitter = splitter
      switch step {
      case .line(let range, let next):
        place = range
        self.next = next
        return .line
      case .tooLong(let next):
        self.next = next
        return .tooLong
      case .incomplete(let from):
        guard !isAtEnd else { return .end }
        buffer.removeFirst(from)
        next = 0
        try fill()
      }
    }
  }

  private mutating func fill() throws(Failure) {
    let before = buffer.count
    do throws(Errno) {
      try buffer.append(room: Self.block) { room throws(Errno) in try file.read(into: room) }
    } catch {
      throw Failure(.noInput, "\(shown) cannot be read: \(error).")
    }
    progress?.addBytes(Int64(buffer.count - before))
    guard buffer.count == before else { return }
    isAtEnd = true
    if before > 0 { buffer.append("\n") }
  }
}

/// The keys of the terminal, one at a time and without an echo, during the life of this value.
struct Keyboard: ~Copyable {
  let descriptor: FileDescriptor
  private let before: termios

  /// Takes the keys over; nil where standard input is no terminal.
  init?() {
    var before = termios()
    guard isatty(0) == 1, isatty(1) == 1, tcgetattr(0, &before) == 0 else { return nil }
    var keys = before
    keys.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
    guard tcsetattr(0, TCSANOW, &keys) == 0 else { return nil }
    self.before = before
    descriptor = FileDescriptor(adopting: dup(0))
  }

  deinit {
    var before = before
    tcsetattr(0, TCSANOW, &before)
  }

  /// The pressed keys; the loss of the terminal counts as the key to quit.
  borrowing func pressedKeys() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = try? bytes.withUnsafeMutableBytes { try descriptor.read(into: $0) }
    guard let count, count > 0 else { return [UInt8(ascii: "q")] }
    return Array(bytes[..<count])
  }
}
