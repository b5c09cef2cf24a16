// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The daemon's work without the daemon: bytes in, bytes out, over the same kind of socket.
///
/// It looks for newlines, answers each request with a reply that it knows by heart, and passes
/// the bytes on, one write for each subscriber and turn. It stores nothing and decides nothing.
/// What it reaches is what sockets and scheduler of this machine allow, whoever sits between
/// them, and a figure of the daemon says most as a share of that.
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

  /// As many replies as one read can ask for, end to end.
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
  func run() throws(BenchFailure) -> Never {
    while true {
      _ = try poller.wait(milliseconds: -1) { token throws(BenchFailure) in
        if token == Int(listener.number) {
          try welcome()
        } else if let client = clients[token], !serve(client) {
          clients[token] = nil
          subscribers.removeAll { $0 === client }
        }
      }
      pass()
    }
  }

  private func welcome() throws(BenchFailure) {
    guard let socket = listener.accept() else { return }
    let token = Int(socket.number)
    try poller.watch(socket.number, as: token)
    clients[token] = Client(socket)
  }

  /// Answers what a client sent; false when it is gone.
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
        try send(replies, count: share * reply.utf8.count, to: client)
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
      try send(block, count: share * line.count, to: client)
      missing -= share
    }
  }

  /// Ends a turn: what came in goes to every subscriber.
  ///
  /// The send waits for a slow one. Those who measure read all the time, so nothing can stop.
  private func pass() {
    guard !forward.isEmpty else { return }
    for subscriber in subscribers {
      // One that has closed is noticed when the poller reports it.
      try? send(forward, count: forward.count, to: subscriber)
    }
    forward.removeAll(keepingCapacity: true)
  }

  private func send(_ bytes: [UInt8], count: Int, to client: Client) throws(BenchFailure) {
    try bytes.span.withUnsafeBytes { raw throws(BenchFailure) in
      try client.socket.deliver(UnsafeRawBufferPointer(rebasing: raw[..<count]))
    }
  }
}

private let reply = #"{"id":1,"ok":{"seq":1,"durability":"written"}}"# + "\n"
private let subscribeHead = Array(#"{"id":1,"op":"subscribe""#.utf8)
