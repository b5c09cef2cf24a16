// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Synchronization

/// An app that sends again, with the same keys, what was not acknowledged when its daemon went.
///
/// It numbers its events from 1; what comes of them is for whoever asks between two rounds.
final class PersistentPublisher: Sendable {
  private struct State {
    var sent = 0
    /// The seqs of all events so far that were acknowledged, in order.
    var acknowledged: [Int64] = []
    var faults: [String] = []
  }

  let app: String
  /// Whether it sometimes waits for the medium, and the others for the log alone.
  private let isCareful: Bool
  private let state = Mutex(State())
  /// Sent and not yet answered; many at once, so that kills find some everywhere on their way.
  private static let window = 60

  init(number: Int) {
    app = "publisher-\(number)"
    isCareful = number % 2 == 0
  }

  var acknowledgedCount: Int { state.withLock { $0.acknowledged.count } }

  /// Publishes as fast as is answered until the daemon is gone.
  func publishUntilEnd(on socket: String) {
    do {
      let client = try RawClient(socket)
      try client.send(#"{"op":"hello","app":"\#(app)"}"#)
      var next = state.withLock { $0.acknowledged.count } + 1
      var answered = next - 1
      while true {
        let lines = (next..<answered + Self.window + 1).map(line)
        next += lines.count
        try client.send(bytes: Array(lines.joined().utf8))
        repeat {
          guard let answer = try client.lineOrEnd() else { return }
          answered += 1
          take(try JSON(answer), to: answered)
        } while try client.hasUnread() || next - answered > Self.window / 2
      }
    } catch {
      // It is dead; whatever it has not said does not count.
    }
  }

  private func line(_ number: Int) -> String {
    let ack = isCareful && number % 7 == 0 ? "synced" : "written"
    let text = String(repeating: "Item was added. ", count: number % 13)
    return #"{"id":\#(number),"op":"publish","ack":"\#(ack)","dedupe":"\#(number)","#
      + #""event":{"type":"announcement","text":"\#(number). \#(text)"}}"# + "\n"
  }

  private func take(_ answer: JSON, to number: Int) {
    state.withLock { state in
      guard answer["id"].integer == Int64(number), let seq = answer["ok"]["seq"].integer else {
        state.faults.append("\(app): \(number) was answered by \(answer)")
        return
      }
      state.acknowledged.append(seq)
    }
  }

  /// The acknowledged events that are not as they should be.
  func faults(against follower: PersistentFollower) -> [String] {
    let found = follower.seqs(of: app)
    return state.withLock { state in
      var faults = state.faults
      if found.count < state.acknowledged.count {
        faults.append("\(app): \(state.acknowledged.count) acknowledged, \(found.count) there")
      }
      for (index, seq) in state.acknowledged.enumerated() where index < found.count {
        if found[index] != seq {
          faults.append("\(app): \(index + 1) was acknowledged as \(seq), it is \(found[index])")
          break
        }
      }
      return faults
    }
  }
}

/// A subscriber that goes on behind what it has, and remembers what it has seen.
final class PersistentFollower: Sendable {
  private struct State {
    var last: Int64 = 0
    /// Of each app the seqs of its events, which it numbers from 1.
    var seqs: [String: [Int64]] = [:]
    var faults: [String] = []
  }

  private let epoch: String
  private let state = Mutex(State())

  init(epoch: String) { self.epoch = epoch }

  var faults: [String] { state.withLock { $0.faults } }
  var count: Int64 { state.withLock { $0.last } }

  func seqs(of app: String) -> [Int64] { state.withLock { $0.seqs[app] ?? [] } }

  /// Reads on until the daemon is gone.
  func followUntilEnd(on socket: String) { follow(on: socket, onlyUntilCaughtUp: false) }

  /// Reads on until everything that is there has come.
  func catchUp(on socket: String) {
    guard follow(on: socket, onlyUntilCaughtUp: true) else {
      return note("the daemon has ended before everything had come")
    }
  }

  /// Whether it has caught up.
  @discardableResult
  private func follow(on socket: String, onlyUntilCaughtUp: Bool) -> Bool {
    do {
      let client = try RawClient(socket)
      try client.send(#"{"id":1,"op":"subscribe","from":"\#(epoch):\#(count)"}"#)
      var isAnswered = false
      while let line = try client.lineOrEnd() {
        if line.hasPrefix(#"{"seq":"#) {
          take(line)
        } else if line.hasPrefix(#"{"mark":"caught-up""#) {
          if onlyUntilCaughtUp { return true }
        } else if !isAnswered, line.hasPrefix(#"{"id":1,"ok":"#) {
          isAnswered = true
        } else {
          note("behind \(count) comes \(line)")
        }
      }
    } catch {
      // It is dead.
    }
    return false
  }

  private func take(_ line: String) {
    guard let entry = try? JSON(line), let seq = entry["seq"].integer else {
      return note("no entry: \(line)")
    }
    state.withLock { state in
      if seq != state.last + 1 { state.faults.append("\(seq) comes behind \(state.last)") }
      state.last = seq
      guard let key = entry["dedupe"].string, let app = entry["app"].string else { return }
      state.seqs[app, default: []].append(seq)
      if Int(key) != state.seqs[app]?.count {
        state.faults.append("\(app): \(key) comes as number \(state.seqs[app]?.count ?? 0)")
      }
    }
  }

  private func note(_ fault: String) { state.withLock { $0.faults.append(fault) } }
}
