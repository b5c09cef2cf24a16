// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A load that a program in C sends through a server of others.
///
/// The program says `ready` when it is connected, goes ahead at a line from here, says `done` with
/// its figures, and ends at a second line. It has checked every line by then: their number, order
/// and bytes. The server's processor time and memory are looked at from here, in the pauses.
final class PeerLoad {
  enum Work: String {
    case stream, latency, fill, replay, idle, count
  }

  struct Figures {
    let nanoseconds: Int
    let first: Int
    let second: Int
  }

  private let name: String
  private let process: pid_t
  private let speech: ChildOutput
  private let talk: Socket
  private let buffer = LineBuffer()
  private var rest: [UInt8] = []
  private var hasEnded = false

  /// A million lines may have to be stored before a load is ready.
  private static let patienceMilliseconds: Int32 = 300_000

  /// Starts the load of `server`, and waits until it is ready.
  init(
    _ work: Work,
    over server: Server,
    _ options: [String],
    lines: String
  ) throws(BenchFailure) {
    guard let word = server.peer?.word else { preconditionFailure("a load has its server") }
    name = server.peer?.rawValue ?? word
    let (mine, other) = try Socket.pair()
    talk = Socket(owning: mine)
    let arguments = ["--at", server.address, "--lines", lines] + options + [work.rawValue]
    let program = try PeerPrograms.built(word + "-load")
    // Its end is closed here at once, so that the program's own end is noticed.
    let started = Result { () throws(BenchFailure) in
      try Child.start(program, arguments, home: server.home.path, talk: other)
    }
    close(other)
    let child = try started.get()
    process = child.process
    speech = ChildOutput(readingFrom: child.standardError, of: name)
    speech.goOnInBackground()
    guard try nextWords() == ["ready"] else { throw complaint() }
  }

  deinit { if !hasEnded { Leftovers.end(process) } }

  /// Lets the load go ahead, and returns its figures.
  func measure() throws(BenchFailure) -> Figures {
    try talk.deliver("go\n")
    let words = try nextWords()
    let numbers = words.compactMap { Int($0) }
    guard words.first == "done", numbers.count == 3 else { throw complaint() }
    return Figures(nanoseconds: numbers[0], first: numbers[1], second: numbers[2])
  }

  /// Lets the program end.
  func release() throws(BenchFailure) {
    try talk.deliver("end\n")
    hasEnded = true
    let status = speech.reap(process)
    guard status == 0 else { throw complaint() }
  }

  private func nextWords() throws(BenchFailure) -> [Substring] {
    var words: [Substring]?
    var interest = pollfd(fd: talk.number, events: Int16(POLLIN), revents: 0)
    while words == nil {
      guard poll(&interest, 1, Self.patienceMilliseconds) > 0 else {
        throw BenchFailure("\(name): its load says nothing any more")
      }
      let open = try buffer.read(from: talk, rest: &rest) { line throws(BenchFailure) in
        words = String(decoding: line.dropLast(), as: UTF8.self).split(separator: " ")
      }
      guard open || words != nil else { throw complaint() }
    }
    return words ?? []
  }

  /// The failure that the program put into words.
  private func complaint() -> BenchFailure {
    if !hasEnded {
      hasEnded = true
      // Its last words may still be in the pipe.
      Clock.sleep(milliseconds: 50)
      Leftovers.end(process)
    }
    return BenchFailure("\(name): \(speech.lastLine)")
  }
}
