// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Many publishers in one thread, each of which waits for its acknowledgements.
final class Crowd {
  private final class Member {
    let socket: Socket
    var rest: [UInt8] = []
    var missing = 0

    init(at path: String) throws(BenchFailure) {
      socket = try Socket(connectingTo: path)
    }
  }

  private let members: [Member]
  private let lines = Announcements()
  private let poller: Poller
  private let buffer = LineBuffer()
  private var turn = 0

  init(of count: Int, at path: String) throws(BenchFailure) {
    poller = try Poller()
    var members: [Member] = []
    for index in 0..<count {
      let member = try Member(at: path)
      try poller.watch(member.socket.number, as: index)
      members.append(member)
    }
    self.members = members
  }

  /// Lets every member publish `each` events, one after the other.
  func publishEach(each: Int) throws(BenchFailure) {
    for member in members {
      member.missing = each
      try publish(member)
    }
    var missing = each * members.count
    while missing > 0 {
      let ready = try poller.wait(milliseconds: Poller.patienceMilliseconds) {
        token throws(BenchFailure) in
        let before = members[token].missing
        try receiveAcknowledgements(members[token])
        missing -= before - members[token].missing
      }
      guard ready > 0 else {
        throw BenchFailure("nothing moved any more: \(missing) acknowledgements are missing")
      }
    }
  }

  private func publish(_ member: Member) throws(BenchFailure) {
    let place = lines.place(ofLine: turn)
    turn += 1
    try lines.withBytes(place) { line throws(BenchFailure) in
      try member.socket.deliver(line)
    }
  }

  private func receiveAcknowledgements(_ member: Member) throws(BenchFailure) {
    let open = try buffer.read(from: member.socket, rest: &member.rest) {
      line throws(BenchFailure) in
      guard case .success = ReceivedLine(line) else {
        throw BenchFailure("a publisher was answered: \(quote(line))")
      }
      guard member.missing > 0 else { throw BenchFailure("a publisher was answered twice") }
      member.missing -= 1
      if member.missing > 0 { try publish(member) }
    }
    guard open else { throw BenchFailure("a publisher was disconnected") }
  }
}
