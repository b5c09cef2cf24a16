// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

/// A program that this process has started.
package final class ChildProcess {
  package let id: Int32
  /// The exit code, or 128 and the number of the signal that has ended the program; nil while it
  /// runs, as far as is known.
  package private(set) var code: Int32?
  /// The signal that has ended the program; nil where it has ended by itself, or runs.
  package private(set) var signal: Int32?
  /// Whether the kernel has given the number back, which then may name somebody else.
  private var hasEnded = false
  /// The target of signals: the program's process group, if it has one of its own.
  private let target: Int32

  /// Descriptors of ours that the program gets; without one it reads nothing, or its words go
  /// nowhere.
  package struct Streams {
    package var input: Int32 = -1
    package var output: Int32 = -1
    package var errors: Int32 = -1

    package init(input: Int32 = -1, output: Int32 = -1, errors: Int32 = -1) {
      self.input = input
      self.output = output
      self.errors = errors
    }
  }

  /// Starts a program, looked up like in a shell.
  ///
  /// - Parameters:
  ///   - words: The program and its arguments.
  ///   - environment: Its environment, as `NAME=VALUE`; ours where it is nil.
  ///   - streams: Its standard streams.
  ///   - hasGroup: Whether it gets a process group of its own.
  /// - Throws: The reason why it cannot be started.
  package init(
    _ words: [String],
    environment: [String]? = nil,
    _ streams: Streams = Streams(),
    hasGroup: Bool = true
  ) throws(Errno) {
    let words = CStrings(words)
    let environment = environment.map(CStrings.init)
    var start = linux_start(
      words: UnsafePointer(words.pointers),
      environment: environment.map { UnsafePointer($0.pointers) },
      streams: (streams.input, streams.output, streams.errors),
      has_group: hasGroup ? 1 : 0
    )
    id = try Errno.check(withExtendedLifetime((words, environment)) { linux_spawn(&start) })
    target = hasGroup ? 0 - id : id
  }

  /// Whether the program runs; an ended one is taken note of.
  package var isRunning: Bool {
    guard !hasEnded else { return false }
    var (code, signal) = (Int32(0), Int32(0))
    let result = linux_reap(id, &code, &signal)
    hasEnded = result != 0
    if result == 1 {
      self.code = code
      self.signal = signal == 0 ? nil : signal
    }
    return !hasEnded
  }

  /// Asks the program to end.
  package func terminate() {
    if isRunning { Processes.signal(.terminate, to: id) }
  }

  /// Asks the program to end, with all processes of its group, if it has one of its own.
  package func terminateGroup() {
    // A process that was stopped must go on to hear of it.
    for signal in [Processes.Signal.terminate, .goOn] { Processes.signal(signal, to: target) }
  }

  /// Ends the program and all processes of its group, stopped ones too.
  package func killGroup() {
    // The group outlives its leader as long as it has members; the leader alone is not killed
    // twice, because its number may name somebody else by now.
    if target < 0 || isRunning { Processes.signal(.kill, to: target) }
    _ = isRunning
  }
}

/// Strings for C, in a list that ends with NULL.
private final class CStrings {
  let pointers: UnsafeMutablePointer<UnsafePointer<CChar>?>
  private let count: Int

  init(_ strings: [String]) {
    count = strings.count
    pointers = .allocate(capacity: count + 1)
    for (index, string) in strings.enumerated() {
      let text = Array(string.utf8CString)
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: text.count)
      copy.initialize(from: text, count: text.count)
      (pointers + index).initialize(to: UnsafePointer(copy))
    }
    (pointers + count).initialize(to: nil)
  }

  deinit {
    for index in 0..<count { pointers[index]?.deallocate() }
    pointers.deallocate()
  }
}
