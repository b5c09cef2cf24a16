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
    let facts = try owner.order(["XINFO", "STREAM", key])
    if case .refusal(let words) = facts {
      if words.hasPrefix("ERR no such key") {
        newest = nil
        return nil
      }
      throw .engine(words)
    }
    guard let id = facts["last-generated-id"]?.text else {
      throw .engine("the key \(key) holds no stream")
    }
    let parts = id.split(separator: "-").compactMap { Int64($0) }
    guard parts.count == 2 else { throw .engine("the key \(key) has an id that is none: \(id)") }
    let entry = try owner.order(["XRANGE", key, id, id]).list?.first?.list
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

  func handOver(_ batch: Batch, _ epochs: EpochLine) throws(ForwardFailure) {
    command.clear()
    batch.writeCommand(for: key, raised(epochs), into: &command)
    if case .refusal(let words) = try owner.order(command) { throw .engine(words) }
    guard settings.replicas > 0 else { return }
    let patience = caution == nil ? Self.replicaPatience : Self.shortPatience
    let answer = try owner.link.order(["WAIT", String(settings.replicas), patience])
    if case .integer(let count) = answer, count >= settings.replicas {
      caution = nil
    } else {
      caution = "fewer than \(settings.replicas) replicas have confirmed the last entries"
    }
  }

  func erase(_ range: ClosedRange<Int64>, _ epochs: EpochLine) throws(ForwardFailure) -> Erasure {
    var erasure = Erasure()
    var from = id(range.lowerBound, epochs)
    let to = id(range.upperBound, epochs)
    while true {
      let answer = try owner.order(["XRANGE", key, from, to, "COUNT", String(Self.erasedAtOnce)])
      if case .refusal(let words) = answer {
        erasure.refusal = words
        return erasure
      }
      let entries = answer.list ?? []
      let ids = entries.compactMap { $0.list?.first?.text }
      guard let last = ids.last else { return erasure }
      let answered = try owner.order(["XDEL", key] + ids)
      guard case .integer(let count) = answered else {
        if case .refusal(let words) = answered { erasure.refusal = words }
        return erasure
      }
      erasure.erased += Int(count)
      from = "(\(last)"
    }
  }

  func keep(_ sign: SignOfLife) throws(ForwardFailure) -> String? {
    let answer = try owner.order(["SET", aliveKey, sign.text, "EX", String(SignOfLife.lifetime)])
    if case .refusal(let words) = answer { return words }
    return nil
  }

  func check() throws(ForwardFailure) {
    if case .refusal(let words) = try owner.link.order(["PING"]) { throw .engine(words) }
  }

  private func id(_ seq: Int64, _ epochs: EpochLine) -> String {
    "\(raised(epochs).epoch(of: seq).began)-\(seq)"
  }

  private func raised(_ epochs: EpochLine) -> EpochLine {
    newest.map { epochs.raised(behind: $0.entry, at: $0.instant) } ?? epochs
  }
}
