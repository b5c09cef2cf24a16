// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yForward
import A11yWire

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
    var erasure = Erasure()
    let epochs = raised(epochs)
    var from = epochs.id(of: range.lowerBound)
    let to = epochs.id(of: range.upperBound)
    var left = range.upperBound - range.lowerBound + 1
    while true {
      let answer = try owner.order(["XRANGE", key, from, to, "COUNT", String(Self.erasedAtOnce)])
      if case .refusal(let words) = answer {
        erasure.refusal = try Self.lackOfRights(words)
        return erasure
      }
      let entries = answer.list ?? []
      let ids = entries.compactMap { $0.list?.first?.text }
      guard let last = ids.last else { return erasure }
      left -= Int64(ids.count)
      guard left >= 0 else { throw .engine("it names more entries than it was asked for") }
      let answered = try owner.order(["XDEL", key] + ids)
      guard case .integer(let count) = answered else {
        if case .refusal(let words) = answered {
          erasure.refusal = try Self.lackOfRights(words)
        }
        return erasure
      }
      erasure.erased += min(max(0, Int(count)), ids.count)
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
