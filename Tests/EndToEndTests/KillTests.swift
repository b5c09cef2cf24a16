// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

private let rounds =
  ProcessInfo.processInfo.environment["A11Y_KILL_ROUNDS"].flatMap { Int($0) } ?? 10

/// A daemon under load that is killed at any moment, again and again on the same log.
///
/// `A11Y_KILL_ROUNDS` says how often; `tools/kill-rounds` sets it.
@Suite(.timeLimit(.minutes(rounds > 100 ? 180 : hangs)))
struct KillTests {
  @Test
  func `what was acknowledged is there once and in order, however often the daemon is killed`()
    throws
  {
    var dice = Dice()
    // Small segments, so that kills meet beginnings and ends of them too.
    let daemon = try RunningDaemon(
      config: "[log]\nsegment_bytes = \"64 KiB\"\nretain_bytes = \"64 MiB\"\n"
    )
    let publishers = (1...4).map { PersistentPublisher(number: $0) }
    let follower = PersistentFollower(epoch: daemon.ready.epoch)
    let socket = daemon.socket
    let begin = ContinuousClock.now
    for round in 1...rounds {
      let threads = Threads()
      for publisher in publishers {
        threads.begin { publisher.publishUntilEnd(on: socket) }
      }
      threads.begin { follower.followUntilEnd(on: socket) }
      // On a busy machine a kill may come before anybody has a connection: once it waits for one.
      if round == rounds {
        try waitUntil("an entry that is acknowledged") {
          publishers.contains { $0.acknowledgedCount > 0 }
        }
      }
      kill(daemon.process, afterMilliseconds: dice.roll(0...80))
      threads.join()

      // One of eight does not live to see its log.
      if dice.once(in: 8) {
        let process = try DaemonProcess(
          RunningDaemon.arguments(in: daemon.directory),
          environment: RunningDaemon.home(in: daemon.directory)
        )
        kill(process, afterMilliseconds: dice.roll(0...20))
      }
      try daemon.start()
      follower.catchUp(on: socket)
      let faults = follower.faults + publishers.flatMap { $0.faults(against: follower) }
      try #require(faults == [], "round \(round) of seed \(dice.seed), log \(daemon.state)")
    }
    let minutes = (ContinuousClock.now - begin) / .seconds(60)
    let acknowledged = publishers.map(\.acknowledgedCount).reduce(0, +)
    print(
      "Killed \(rounds) times, \(Int(Double(rounds) / minutes)) rounds a minute;"
        + " \(acknowledged) entries were acknowledged, \(follower.count) delivered."
    )
    #expect(acknowledged > 0)
  }

  /// Kills a process at some later moment, and waits until it is dead.
  private func kill(_ process: DaemonProcess, afterMilliseconds delay: Int) {
    let number = process.number
    let isOver = DispatchSemaphore(value: 0)
    let microseconds = delay * 1_000 + Int.random(in: 0...999)
    DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(microseconds)) {
      _ = Foundation.kill(number, SIGKILL)
      isOver.signal()
    }
    isOver.wait()
    process.kill()
  }
}

/// Threads that are allowed to wait, unlike tasks.
private struct Threads {
  private let group = DispatchGroup()

  func begin(_ work: @escaping @Sendable () -> Void) {
    group.enter()
    let group = self.group
    Thread {
      work()
      group.leave()
    }.start()
  }

  func join() { group.wait() }
}
