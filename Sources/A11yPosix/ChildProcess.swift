// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

/// A program that this process has started, in a process group of its own.
package final class ChildProcess {
  package let id: Int32
  /// Whether the kernel has given the number back, which then may name somebody else.
  private var hasEnded = false

  /// Starts a program, looked up like in a shell, that reads nothing and whose words go nowhere.
  package init(_ words: [String]) throws(Errno) {
    let texts = words.map { Array($0.utf8CString) }
    let copies = texts.map { text in
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: text.count)
      copy.initialize(from: text, count: text.count)
      return copy
    }
    defer { for copy in copies { copy.deallocate() } }
    let arguments = copies.map { Optional(UnsafePointer($0)) } + [nil]
    let started = arguments.withUnsafeBufferPointer { linux_spawn($0.baseAddress!) }
    id = try Errno.check(started)
  }

  /// Whether the program runs; an ended one is taken note of.
  package var isRunning: Bool {
    if !hasEnded { hasEnded = linux_reap(id) != 0 }
    return !hasEnded
  }

  /// Asks the program to end.
  package func terminate() {
    if isRunning { Processes.signal(.terminate, to: id) }
  }

  /// Ends the program and all processes of its group, stopped ones too.
  package func killGroup() {
    // The group outlives its leader as long as it has members.
    Processes.signal(.kill, to: 0 - id)
    _ = isRunning
  }
}
