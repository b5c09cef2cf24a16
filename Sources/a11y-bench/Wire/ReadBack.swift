// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The entries of a log from its start, and its gaps.
struct ReadBack {
  struct Gap {
    let range: ClosedRange<Int>
    let isForStorage: Bool
  }

  /// The seqs, in rising order.
  private(set) var seqs: [Int] = []
  private(set) var gaps: [Gap] = []

  /// Subscribes at `path`, and reads until it has caught up.
  init(at path: String) throws(BenchFailure) {
    let socket = try Socket(connectingTo: path)
    try socket.deliver(#"{"id":1,"op":"subscribe","from":"start"}"# + "\n")
    let buffer = LineBuffer()
    var rest: [UInt8] = []
    var interest = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
    var isCaughtUp = false
    while !isCaughtUp {
      guard poll(&interest, 1, Poller.patienceMilliseconds) > 0 else {
        throw BenchFailure("a reader waits in vain to be caught up, after \(seqs.count) entries")
      }
      let open = try buffer.read(from: socket, rest: &rest) { line throws(BenchFailure) in
        switch ReceivedLine(line) {
        case .entry: try collect(entry: line)
        case .mark:
          isCaughtUp = isCaughtUp || offset(of: #""mark":"caught-up""#, in: line) != nil
          try collect(mark: line)
        case .success: break
        case .other: throw BenchFailure("a reader received: \(quote(line))")
        }
      }
      guard open else {
        throw BenchFailure("a reader was disconnected after \(seqs.count) entries")
      }
    }
  }

  private mutating func collect(entry line: UnsafeRawBufferPointer) throws(BenchFailure) {
    guard let seq = number(behind: #""seq":"#, in: line), seq > seqs.last ?? 0 else {
      throw BenchFailure("behind entry \(seqs.last ?? 0) came: \(quote(line))")
    }
    seqs.append(seq)
  }

  private mutating func collect(mark line: UnsafeRawBufferPointer) throws(BenchFailure) {
    guard offset(of: #""mark":"gap""#, in: line) != nil else { return }
    guard let from = number(behind: #""from":"#, in: line),
      let to = number(behind: #""to":"#, in: line), from <= to
    else { throw BenchFailure("a gap has no bounds: \(quote(line))") }
    let isForStorage = offset(of: #""reason":"storage""#, in: line) != nil
    gaps.append(Gap(range: from...to, isForStorage: isForStorage))
  }
}
