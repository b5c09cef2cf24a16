// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A server that answers as no engine does.
final class LyingEngine {
  /// What it does on each connection.
  enum Lie: String, CaseIterable, Sendable {
    case silence, close, garbage, half, endlessLine, endlessText, manyParts, nesting, lastInstant
    case natsSilence, natsClose, natsGarbage, natsEndlessLine, natsEndlessText, natsHeaderOnly
    case natsLastNumber, natsWrongPlace

    var kind: EngineServer.Kind { rawValue.hasPrefix("nats") ? .nats : .redis }

    /// The words by which the forwarder has to tell it.
    var telling: String {
      switch self {
      case .silence, .half, .natsSilence, .natsGarbage: "it does not answer"
      case .garbage: "Protocol error"
      case .endlessLine: "a call to the engine does not end; the program starts anew"
      case .endlessText: "its answer is too long"
      case .manyParts: "length out of range"
      case .nesting: "nested "
      case .lastInstant: "has an id that is none"
      // A connection that is closed at once may be reset, too.
      case .close, .natsClose: "waiting for the engine"
      case .natsEndlessLine: "Line too long"
      case .natsEndlessText, .natsHeaderOnly: "Connection Closed"
      case .natsLastNumber: "it answers without a number"
      case .natsWrongPlace: "it answers twice, or to nothing that was asked"
      }
    }
  }

  let lie: Lie
  let port: Int
  private let listener: Int32

  var address: String { "\(lie.kind.rawValue)://127.0.0.1:\(port)" }

  init(_ lie: Lie) throws {
    self.lie = lie
    let (listener, port) = try EngineSocket.listen()
    (self.listener, self.port) = (listener, port)
    // The engine that comes afterwards takes the port while old connections are still known.
    var isOn: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
    Thread.detachNewThread {
      while true {
        let near = accept(listener, nil, nil)
        guard near >= 0 else { return }
        let talk = Talk(near)
        Thread.detachNewThread {
          if lie.kind == .nats { NatsLiar(talk, lie).talk() } else { Self.talkAsRedis(talk, lie) }
        }
      }
    }
  }

  /// Goes; connections end with their clients.
  func go() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  private static func talkAsRedis(_ talk: Talk, _ lie: Lie) {
    if lie == .close { return talk.end() }
    while let command = talk.hear() {
      switch lie {
      case .garbage: talk.say("HTTP/1.1 400 Bad Request\r\n\r\n")
      case .half: talk.say("*3\r\n$5\r\nab")
      case .endlessLine: talk.sayForEver(after: "+")
      case .endlessText: talk.sayForEver(after: "$2000000000\r\n")
      case .manyParts: talk.say("*4000000000\r\n")
      case .nesting: talk.say(String(repeating: "*1\r\n", count: 100_000))
      case .lastInstant:
        let isAboutId = command.contains("XINFO")
        let id = "$17\r\nlast-generated-id\r\n$21\r\n\(Int64.max)-5\r\n"
        talk.say(isAboutId ? "*2\r\n\(id)" : "*0\r\n")
      default: break
      }
    }
    talk.end()
  }
}

/// The near end of a connection, used by one thread.
private struct Talk {
  private let number: Int32

  init(_ number: Int32) { self.number = number }

  /// The next piece; nil at the end.
  func hear() -> String? {
    var piece = [UInt8](repeating: 0, count: 65_536)
    let count = recv(number, &piece, piece.count, 0)
    return count > 0 ? String(decoding: piece[..<count], as: UTF8.self) : nil
  }

  @discardableResult
  func say(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        send(number, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Goes on until the other end has gone.
  func sayForEver(after start: String) {
    let piece = String(repeating: "a", count: 1_000_000)
    guard say(start) else { return }
    while say(piece) {}
  }

  func end() { close(number) }
}

/// A server of NATS that knows the protocol, and lies in what it says by it.
private final class NatsLiar {
  private let link: Talk
  private let lie: LyingEngine.Lie
  /// The numbers of the subscriptions by the beginning of their subjects.
  private var subscriptions: [Substring: Substring] = [:]
  private var stored = 0

  init(_ link: Talk, _ lie: LyingEngine.Lie) { (self.link, self.lie) = (link, lie) }

  func talk() {
    defer { link.end() }
    switch lie {
    case .natsClose: return
    case .natsGarbage: link.say(String(repeating: "\u{0} garbage\r\n", count: 10))
    case .natsEndlessLine: return link.sayForEver(after: "INFO ")
    default:
      link.say(
        #"INFO {"server_id":"L","version":"2.12.0","proto":1,"headers":true,"#
          + #""max_payload":1048576}"# + "\r\n"
      )
    }
    var heard = ""
    while let piece = link.hear() {
      heard += piece
      while let end = heard.firstRange(of: "\r\n") {
        let line = heard[..<end.lowerBound]
        take(line.split(separator: " "))
        heard = String(heard[end.upperBound...])
      }
    }
  }

  private func take(_ words: [Substring]) {
    switch words.first {
    case "PING": link.say("PONG\r\n")
    case "SUB" where words.count >= 3: subscriptions[words[1].dropLast()] = words[words.count - 1]
    case "PUB" where words.count == 4: answer(words[1], words[2])
    case "HPUB" where words.count == 5: answer(words[1], words[2])
    default: break
    }
  }

  private func answer(_ subject: Substring, _ reply: Substring) {
    let front = reply.prefix(upTo: reply.lastIndex(of: ".") ?? reply.startIndex) + "."
    guard lie != .natsSilence, let number = subscriptions[front] else { return }
    switch lie {
    case .natsEndlessText: return link.sayForEver(after: "MSG \(reply) \(number) 2000000000\r\n")
    case .natsHeaderOnly: link.say("HMSG \(reply) \(number) 50 12\r\n")
    default: break
    }
    if subject.hasPrefix("$JS.API.DIRECT.GET") {
      let head = "NATS/1.0 404 Message Not Found\r\n\r\n"
      let count = head.utf8.count
      link.say("HMSG \(reply) \(number) \(count) \(count)\r\n\(head)\r\n")
      return
    }
    stored += 1
    // The first message asks whether another may follow.
    if stored == 1 {
      return say(
        #"{"error":{"err_code":10071,"description":"wrong last sequence"}}"#,
        reply,
        number
      )
    }
    switch lie {
    case .natsLastNumber: say(#"{"stream":"A11YD","seq":\#(Int64.max)}"#, reply, number)
    // The first subscription is for the answers to a row.
    case .natsWrongPlace where number == "1": say("{}", "\(front)\(Int64.min)", number)
    default: say(#"{"stream":"A11YD","seq":\#(stored - 1)}"#, reply, number)
    }
  }

  private func say(_ body: String, _ subject: some StringProtocol, _ number: Substring) {
    link.say("MSG \(subject) \(number) \(body.utf8.count)\r\n\(body)\r\n")
  }
}
