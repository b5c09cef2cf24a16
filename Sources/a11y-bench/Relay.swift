// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix

/// The daemon's work without the daemon: bytes in, bytes out, over the same kind of socket.
///
/// The relay looks for newlines, answers each request with a constant reply, and forwards the
/// bytes, one write for each subscriber and turn. It stores nothing and decides nothing. Its
/// figures are the bounds of this machine's sockets and scheduler, and the daemon's figures mean
/// most as a share of them.
final class Relay {
  /// A subscriber of a blasting relay is sent this many entries of this many bytes each.
  struct Blast {
    var entries: Int
    var length: Int
  }

  private let listener: UnixListener
  private let poll: BenchPoll
  private let blast: Blast?
  private var clients: [Int: BenchConnection] = [:]
  private var subscribers: [BenchConnection] = []
  private var forward: [UInt8] = []
  private let replies: [UInt8]

  /// The most requests of one read, whose replies are sent end to end.
  private static let repliesAtOnce = 4096

  init(at path: String, blast: Blast?) throws {
    listener = try failing("listen at \(path)") { () throws(Errno) in
      try UnixListener(path: path, mode: 0o600)
    }
    poll = try BenchPoll()
    self.blast = blast
    replies = Array(repeatElement(reply.utf8, count: Self.repliesAtOnce).joined())
    try poll.watch(listener.descriptor, as: Int(listener.descriptor.number))
  }

  /// Serves until it is killed.
  func serve() throws -> Never {
    while true {
      _ = try poll.wait(milliseconds: -1) { token in
        if token == Int(listener.descriptor.number) {
          try welcome()
        } else if let client = clients[token] {
          do {
            try serve(client)
          } catch {
            clients[token] = nil
            subscribers.removeAll { $0 === client }
          }
        }
      }
      forwardBytes()
    }
  }

  private func welcome() throws {
    guard case .connection(let socket) = listener.accept() else { return }
    let client = BenchConnection(over: socket, as: "a client")
    let token = Int(client.socket.number)
    try poll.watch(client.socket, as: token)
    clients[token] = client
  }

  /// Answers a client's requests.
  private func serve(_ client: BenchConnection) throws {
    var requests = 0
    try client.receive { line in
      if line.starts(with: subscribeHead) {
        try welcomeSubscriber(client)
      } else {
        requests += 1
        forward.append(contentsOf: line)
      }
    }
    while requests > 0 {
      let share = min(requests, Relay.repliesAtOnce)
      try deliver(replies, count: share * reply.utf8.count, to: client)
      requests -= share
    }
  }

  private func welcomeSubscriber(_ client: BenchConnection) throws {
    try client.deliver(reply)
    if let blast { try fire(blast, at: client) }
    try client.deliver(#"{"mark":"caught-up","cursor":"relay:\#(blast?.entries ?? 0)"}"# + "\n")
    subscribers.append(client)
  }

  private func fire(_ blast: Blast, at client: BenchConnection) throws {
    let head = #"{"seq":1,"app":"relay","pad":""#
    let pad = String(repeating: "x", count: max(0, blast.length - head.utf8.count - 3))
    let line = Array((head + pad + "\"}\n").utf8)
    let linesAtOnce = max(1, 256 * 1024 / line.count)
    let block = Array(repeatElement(line, count: linesAtOnce).joined())
    var missing = blast.entries
    while missing > 0 {
      let share = min(missing, linesAtOnce)
      try deliver(block, count: share * line.count, to: client)
      missing -= share
    }
  }

  /// Ends a turn: sends the bytes of the turn to every subscriber.
  ///
  /// The send waits for a slow subscriber; the subscribers of a figure read all the time.
  private func forwardBytes() {
    guard !forward.isEmpty else { return }
    for subscriber in subscribers {
      // The poll reports a subscriber that has closed.
      try? deliver(forward, count: forward.count, to: subscriber)
    }
    forward.removeAll(keepingCapacity: true)
  }

  private func deliver(_ bytes: [UInt8], count: Int, to client: BenchConnection) throws {
    try bytes.withUnsafeBytes { raw in
      try client.deliver(UnsafeRawBufferPointer(rebasing: raw[..<count]))
    }
  }
}

private let reply = #"{"id":1,"ok":{"seq":1,"durability":"written"}}"# + "\n"
private let subscribeHead = Array(#"{"id":1,"op":"subscribe""#.utf8)
