// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yForward
import A11yWire
import CHiredis
import Glibc

/// An answer of Redis.
enum RedisValue {
  case nothing
  case integer(Int64)
  case text([UInt8])
  case list([RedisValue])
  case refusal(String)

  fileprivate init(_ reply: UnsafePointer<redisReply>) {
    let reply = reply.pointee
    switch reply.type {
    case REDIS_REPLY_INTEGER: self = .integer(reply.integer)
    case REDIS_REPLY_STRING, REDIS_REPLY_STATUS: self = .text(Self.bytes(reply))
    case REDIS_REPLY_ERROR: self = .refusal(Self.refusal(Self.bytes(reply)))
    case REDIS_REPLY_ARRAY:
      self = .list(
        (0..<Int(reply.elements)).map { index in
          reply.element[index].map { RedisValue($0) } ?? .nothing
        }
      )
    default: self = .nothing
    }
  }

  /// A refusal in words, to go into a sentence.
  private static func refusal(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    if text.hasPrefix("NOAUTH") { return "it expects a password, and got none" }
    if text.hasPrefix("WRONGPASS") { return "it refuses the user or the password" }
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }

  private static func bytes(_ reply: redisReply) -> [UInt8] {
    let start = UnsafeRawPointer(reply.str)
    return Array(UnsafeRawBufferPointer(start: start, count: Int(reply.len)))
  }

  var text: String? {
    guard case .text(let bytes) = self else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  var list: [RedisValue]? {
    guard case .list(let values) = self else { return nil }
    return values
  }

  /// The value behind a name in a list of names and values.
  subscript(name: String) -> RedisValue? {
    guard let list, let place = list.firstIndex(where: { $0.text == name }) else { return nil }
    return place + 1 < list.count ? list[place + 1] : nil
  }
}

/// A connection to one server of Redis, on which each call has a deadline.
final class RedisLink {
  private let context: UnsafeMutablePointer<redisContext>
  let server: EngineAddress.Server
  /// Whether the slot of this machine is on its way to this server.
  private let isImporting: Bool

  private static let connecting = timeval(tv_sec: 2, tv_usec: 0)
  /// The wait for an answer, which includes a disk that is slow to take what came before.
  private static let answering = timeval(tv_sec: 5, tv_usec: 0)

  init(
    _ server: EngineAddress.Server,
    _ settings: RedisSettings,
    isImporting: Bool
  ) throws(ForwardFailure) {
    ThreadWatch.beat()
    guard let made = redisConnectWithTimeout(server.host, Int32(server.port), Self.connecting)
    else { throw .engine("there is no memory for a connection") }
    context = made
    self.server = server
    self.isImporting = isImporting
    guard made.pointee.err == 0, redisSetTimeout(made, Self.answering) == REDIS_OK else {
      throw .engine("\(server): \(words)")
    }
    _ = redisEnableKeepAlive(made)
    guard let password = settings.password else { return }
    let secret = [settings.user, password].compactMap { $0 }
    if case .refusal(let words) = try order(["AUTH"] + secret) { throw .engine(words) }
  }

  deinit { redisFree(context) }

  /// Sends a command, and returns the answer, be it a refusal.
  func order(_ words: [String]) throws(ForwardFailure) -> RedisValue {
    var command = ByteBuffer(capacity: 128)
    command.appendCommand(words: words.count)
    for word in words { command.appendWord(word) }
    return try order(command)
  }

  /// Sends a command that is written already.
  func order(_ command: borrowing ByteBuffer) throws(ForwardFailure) -> RedisValue {
    guard isImporting else {
      try send(command)
      return try answer()
    }
    var asking = ByteBuffer(capacity: 32)
    asking.appendCommand(words: 1)
    asking.appendWord("ASKING")
    try send(asking)
    try send(command)
    let permission = try answer()
    let answer = try answer()
    // Without it the server would send us back to the one that has sent us here.
    if case .refusal = permission { return permission }
    return answer
  }

  private func send(_ command: borrowing ByteBuffer) throws(ForwardFailure) {
    let result = command.withUnsafeBytes { bytes in
      redisAppendFormattedCommand(context, bytes.baseAddress, bytes.count)
    }
    guard result == REDIS_OK else { throw .engine(words) }
  }

  private func answer() throws(ForwardFailure) -> RedisValue {
    ThreadWatch.beat()
    var reply: UnsafeMutableRawPointer?
    guard redisGetReply(context, &reply) == REDIS_OK, let reply else { throw .engine(words) }
    defer { freeReplyObject(reply) }
    return RedisValue(reply.assumingMemoryBound(to: redisReply.self))
  }

  /// The failure of the connection, in the library's words.
  private var words: String {
    let isLate = context.pointee.err == REDIS_ERR_IO && errno == EAGAIN
    if isLate { return "it does not answer" }
    return withUnsafeBytes(of: context.pointee.errstr) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
