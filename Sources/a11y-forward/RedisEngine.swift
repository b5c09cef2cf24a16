// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yForward
import A11yWire
import CHiredis
import Glibc

/// A stream of Redis, on one server or in a cluster.
///
/// Its ids are the beginning of the epoch and the seq, so that Redis itself refuses an entry that
/// it has had, and tells the newest even where that was removed since.
final class RedisEngine: Engine {
  private let owner: RedisOwner
  private let key: String
  private let aliveKey: String
  private let settings: RedisSettings
  private(set) var caution: String?
  private var command = ByteBuffer(capacity: 65_536)
  /// The newest entry when it was asked for, and the first half of its id.
  private var newest: (entry: EngineLast, instant: Int64)?
  /// The id of the newest entry, as far as we know.
  private var lastId = RedisEngine.noId

  /// The newest id of a stream that does not exist.
  private static let noId = "0-0"
  /// The replicas' time to confirm, in milliseconds.
  private static let replicaPatience = "500"
  /// The same behind a batch that they have not confirmed: a cluster whose replicas are away goes
  /// on, since entries that it loses are sent again.
  private static let shortPatience = "1"
  /// Entries that are looked up and removed at once.
  private static let erasedAtOnce = 512

  /// Connects to the first server that answers, beginning with the one at `turn`.
  init(_ plan: ForwardPlan, _ address: EngineAddress, turn: Int) throws(ForwardFailure) {
    key = plan.machine.key
    aliveKey = plan.machine.aliveKey
    settings = plan.redis
    owner = try RedisOwner(address, settings, turn: turn)
  }

  func last() throws(ForwardFailure) -> EngineLast? {
    lastId = try newestId()
    newest = nil
    guard lastId != Self.noId else { return nil }
    let parts = lastId.split(separator: "-").compactMap { Int64($0)?.ifReachable }
    guard parts.count == 2 else {
      throw .engine("the key \(key) has an id that is none: \(lastId)")
    }
    let entry = try owner.order(["XRANGE", key, lastId, lastId]).list?.first?.list
    var last = EngineLast(.began(parts[0]), seq: parts[1])
    if let fields = entry?.last, let epoch = fields["epoch"]?.text,
      case .text(let line)? = fields["line"]
    {
      let forgotten = EngineLine(line)?.forgotten ?? []
      last = EngineLast(.epoch(epoch), seq: parts[1], forgotten: forgotten)
    }
    newest = (last, parts[0])
    return last
  }

  /// The id of the newest entry that the stream has had, be it removed since.
  private func newestId() throws(ForwardFailure) -> String {
    let facts = try owner.order(["XINFO", "STREAM", key])
    if case .refusal(let words) = facts {
      if words.hasPrefix("ERR no such key") { return Self.noId }
      throw .engine(words)
    }
    guard let id = facts["last-generated-id"]?.text else {
      throw .engine("the key \(key) holds no stream")
    }
    return id
  }

  func handOver(_ batch: Batch, _ epochs: EpochLine) throws(ForwardFailure) {
    guard let last = batch.parcels.last else { return }
    let epochs = raised(epochs)
    command.clear()
    batch.writeCommand(for: key, behind: lastId, epochs, into: &command)
    if case .refusal(let words) = try owner.order(command) {
      guard words.hasPrefix(Batch.misplaced) else { throw .engine(words) }
      let id = words.dropFirst(Batch.misplaced.count).prefix { $0 != " " }
      throw .engine(misplacement(String(id)))
    }
    lastId = epochs.id(of: last.seq)
    guard settings.replicas > 0 else { return }
    let patience = caution == nil ? Self.replicaPatience : Self.shortPatience
    let answer = try owner.link.order(["WAIT", String(settings.replicas), patience])
    if case .integer(let count) = answer, count >= settings.replicas {
      caution = nil
    } else {
      caution = "fewer than \(settings.replicas) replicas have confirmed the last entries"
    }
  }

  private func misplacement(_ id: String) -> String {
    "its newest entry is \(id), and was \(lastId) a moment ago"
  }

  func erase(_ range: ClosedRange<Int64>, _ epochs: EpochLine) throws(ForwardFailure) -> Erasure {
    let epochs = raised(epochs)
    var from = epochs.id(of: range.lowerBound)
    let to = epochs.id(of: range.upperBound)
    var left = range.upperBound - range.lowerBound + 1
    while true {
      let answer = try owner.order(["XRANGE", key, from, to, "COUNT", String(Self.erasedAtOnce)])
      if case .refusal(let words) = answer {
        return .refused(try Self.lackOfRights(words))
      }
      let entries = answer.list ?? []
      let ids = entries.compactMap { $0.list?.first?.text }
      guard let last = ids.last else { return .done }
      left -= Int64(ids.count)
      guard left >= 0 else { throw .engine("it names more entries than it was asked for") }
      let answered = try owner.order(["XDEL", key] + ids)
      guard case .integer = answered else {
        guard case .refusal(let words) = answered else { return .done }
        return .refused(try Self.lackOfRights(words))
      }
      from = "(\(last)"
    }
  }

  func keep(_ sign: SignOfLife) throws(ForwardFailure) -> String? {
    let answer = try owner.order(["SET", aliveKey, sign.text, "EX", String(SignOfLife.lifetime)])
    if case .refusal(let words) = answer { return words }
    return nil
  }

  /// The words of a refusal that will not change; any other is a reason to begin anew, since the
  /// entries can be erased later.
  private static func lackOfRights(_ words: String) throws(ForwardFailure) -> String {
    guard words.hasPrefix("NOPERM") else { throw .engine(words) }
    return words
  }

  /// Makes sure that the newest entry is still there: a server that has taken over may be without
  /// it, and a connection to its predecessor may live on.
  func check() throws(ForwardFailure) {
    let id = try newestId()
    if id != lastId { throw .engine(misplacement(id)) }
  }

  private func raised(_ epochs: EpochLine) -> EpochLine {
    newest.map { epochs.raised(behind: $0.entry, at: $0.instant) } ?? epochs
  }
}

/// The server of Redis that owns a key, which the others of a cluster name.
final class RedisOwner {
  private(set) var link: RedisLink
  private let settings: RedisSettings

  /// The way through a cluster that is changing; a longer one goes in circles.
  private static let mostHops = 5

  /// Connects to the first server that answers, beginning with the one at `turn`.
  init(_ address: EngineAddress, _ settings: RedisSettings, turn: Int) throws(ForwardFailure) {
    self.settings = settings
    var failure = ForwardFailure.engine("no server is named")
    var found: RedisLink?
    for place in address.servers.indices where found == nil {
      do throws(ForwardFailure) {
        let server = address.servers[(place + turn) % address.servers.count]
        found = try RedisLink(server, settings, isImporting: false)
      } catch {
        failure = error
      }
    }
    guard let found else { throw failure }
    link = found
  }

  func order(_ words: [String]) throws(ForwardFailure) -> RedisValue {
    var command = ByteBuffer(capacity: 128)
    command.appendCommand(words: words.count)
    for word in words { command.appendWord(word) }
    return try order(command)
  }

  /// Sends a command that is written already to the owner of its key.
  func order(_ command: borrowing ByteBuffer) throws(ForwardFailure) -> RedisValue {
    for _ in 0..<Self.mostHops {
      let answer = try link.order(command)
      guard case .refusal(let words) = answer, let hop = RedisHop(words, from: link.server) else {
        return answer
      }
      link = try RedisLink(hop.server, settings, isImporting: hop.isImporting)
    }
    throw .engine("the cluster sends us in circles")
  }
}

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
    a11y_bound_replies(made)
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
    // The library calls it so where a list is nested too deep, too.
    if context.pointee.err == REDIS_ERR_OOM { return "its answer is too long, or nested too deep" }
    return withUnsafeBytes(of: context.pointee.errstr) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
