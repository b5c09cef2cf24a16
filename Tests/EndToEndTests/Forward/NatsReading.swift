// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation

/// Questions to NATS in its own words.
final class NatsReading {
  private let socket: EngineSocket
  /// The place for answers, which no other connection hears.
  private let inbox = "in-\(UInt64.random(in: 0 ... .max))"

  private static let stream = "A11YD"
  /// Messages that are asked for at once.
  private static let atOnce = 2_000

  init(_ port: Int) throws {
    socket = try EngineSocket(port: port)
    let connect = #"{"verbose":false,"headers":true,"no_responders":true}"#
    try socket.send("CONNECT \(connect)\r\nSUB \(inbox) 1\r\n")
  }

  /// All that the stream has of a machine, by a consumer that lives for this reading.
  func stored(_ machine: String) throws -> [EngineServer.Stored] {
    let made = try ask(
      "CONSUMER.CREATE.\(Self.stream)",
      #"{"stream_name":"\#(Self.stream)","config":{"ack_policy":"none","mem_storage":true,"#
        + #""filter_subject":"a11yd.\#(machine).log","inactive_threshold":5000000000}}"#
    )
    guard let name = made["name"].string else {
      // Nothing has come yet where there is no stream.
      guard made["error"]["err_code"].integer == 10_059 else { throw Missing("\(made)") }
      return []
    }
    var stored: [EngineServer.Stored] = []
    var left = made["num_pending"].integer ?? 0
    // Messages that are erased meanwhile are counted, and do not come.
    reading: while left > 0 {
      let count = min(Int(left), Self.atOnce)
      let body = #"{"batch":\#(count),"no_wait":true}"#
      try publish("CONSUMER.MSG.NEXT.\(Self.stream).\(name)", body)
      for _ in 0..<count {
        guard let (message, pending) = try delivery() else { break reading }
        stored.append(message)
        left = pending
      }
    }
    _ = try ask("CONSUMER.DELETE.\(Self.stream).\(name)", "")
    return stored
  }

  /// The newest line that the leader has.
  func newest(_ machine: String) throws -> String? {
    let answer = try ask(
      "STREAM.MSG.GET.\(Self.stream)",
      #"{"last_by_subj":"a11yd.\#(machine).log"}"#
    )
    return answer["message"]["data"].string.flatMap { Data(base64Encoded: $0) }.map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// Has something done to a stream.
  func order(_ question: String) throws {
    let answer = try ask(question, "")
    guard answer["success"].bool == true else { throw Missing("\(question): \(answer)") }
  }

  /// The name of the server that leads the stream.
  func leader() throws -> String? {
    try ask("STREAM.INFO.\(Self.stream)", "")["cluster"]["leader"].string
  }

  // MARK: Words

  private func publish(_ question: String, _ body: String) throws {
    try socket.send("PUB $JS.API.\(question) \(inbox) \(body.utf8.count)\r\n\(body)\r\n")
  }

  private func ask(_ question: String, _ body: String) throws -> JSON {
    try publish(question, body)
    let (head, content) = try arrival()
    guard head[0] == "MSG" else { throw Missing("an answer to \(question)") }
    return try JSON(content)
  }

  /// The next message that has come: the words of its head, and its bytes.
  private func arrival() throws -> ([Substring], String) {
    while true {
      let words = try socket.line().split(separator: " ")
      if words.first == "PING" { try socket.send("PONG\r\n") }
      guard words.first == "MSG" || words.first == "HMSG",
        let count = words.last.flatMap({ Int($0) })
      else { continue }
      return (words, try socket.bytes(count))
    }
  }

  /// The next message of a consumer, and how many are behind it; nil for a status in its place.
  private func delivery() throws -> (EngineServer.Stored, Int64)? {
    let (head, content) = try arrival()
    // HMSG, subject, number, reply, bytes of the headers, bytes of all.
    guard head.count == 6, let size = Int(head[4]) else { return nil }
    let headers = String(decoding: content.utf8.prefix(size), as: UTF8.self)
    let epoch = headers.split(separator: "\r\n").first { $0.hasPrefix("A11yd-Epoch: ") }
    // The reply is $JS.ACK.stream.consumer.deliveries.number.place.time.left.
    let parts = head[3].split(separator: ".")
    guard parts.count >= 9, let left = Int64(parts[8]) else { return nil }
    let message = EngineServer.Stored(
      line: String(decoding: content.utf8.dropFirst(size), as: UTF8.self),
      epoch: String(epoch?.dropFirst(13) ?? ""),
      id: String(parts[5])
    )
    return (message, left)
  }
}
