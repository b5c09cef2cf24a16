// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Glibc

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
