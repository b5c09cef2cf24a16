// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

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

  private final class Client {
    let socket: Socket
    var rest: [UInt8] = []

    init(_ socket: consuming Socket) { self.socket = socket }
  }

  private let listener: Listener
  private let poller: Poller
  private let blast: Blast?
  private let buffer = LineBuffer()
  private var clients: [Int: Client] = [:]
  private var subscribers: [Client] = []
  private var forward: [UInt8] = []
  private let replies: [UInt8]

  /// The most requests of one read, whose replies are sent end to end.
  private static let repliesAtOnce = 4096

  init(at path: String, blast: Blast?) throws(BenchFailure) {
    listener = try Listener(at: path)
    poller = try Poller()
    self.blast = blast
    var replies: [UInt8] = []
    for _ in 0..<Relay.repliesAtOnce { replies += reply.utf8 }
    self.replies = replies
    try poller.watch(listener.number, as: Int(listener.number))
  }

  /// Serves until it is killed.
  func serve() throws(BenchFailure) -> Never {
    while true {
      _ = try poller.wait(milliseconds: -1) { token throws(BenchFailure) in
        if token == Int(listener.number) {
          try welcome()
        } else if let client = clients[token], !serve(client) {
          clients[token] = nil
          subscribers.removeAll { $0 === client }
        }
      }
      forwardBytes()
    }
  }

  private func welcome() throws(BenchFailure) {
    guard let socket = listener.accept() else { return }
    let token = Int(socket.number)
    try poller.watch(socket.number, as: token)
    clients[token] = Client(socket)
  }

  /// Answers a client's requests; false when the client has gone.
  private func serve(_ client: Client) -> Bool {
    var requests = 0
    do {
      let open = try buffer.read(from: client.socket, rest: &client.rest) {
        line throws(BenchFailure) in
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
      return open
    } catch {
      return false
    }
  }

  private func welcomeSubscriber(_ client: Client) throws(BenchFailure) {
    try client.socket.deliver(reply)
    if let blast { try fire(blast, at: client) }
    try client.socket.deliver(
      #"{"mark":"caught-up","cursor":"relay:\#(blast?.entries ?? 0)"}"# + "\n"
    )
    subscribers.append(client)
  }

  private func fire(_ blast: Blast, at client: Client) throws(BenchFailure) {
    let head = #"{"seq":1,"app":"relay","pad":""#
    let pad = String(repeating: "x", count: max(0, blast.length - head.utf8.count - 3))
    let line = Array((head + pad + "\"}\n").utf8)
    let linesAtOnce = max(1, 256 * 1024 / line.count)
    let block = [UInt8]((0..<linesAtOnce).map { _ in line }.joined())
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
      // The poller reports a subscriber that has closed.
      try? deliver(forward, count: forward.count, to: subscriber)
    }
    forward.removeAll(keepingCapacity: true)
  }

  private func deliver(_ bytes: [UInt8], count: Int, to client: Client) throws(BenchFailure) {
    try bytes.span.withUnsafeBytes { raw throws(BenchFailure) in
      try client.socket.deliver(UnsafeRawBufferPointer(rebasing: raw[..<count]))
    }
  }
}

private let reply = #"{"id":1,"ok":{"seq":1,"durability":"written"}}"# + "\n"
private let subscribeHead = Array(#"{"id":1,"op":"subscribe""#.utf8)
