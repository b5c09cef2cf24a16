// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Glibc

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
