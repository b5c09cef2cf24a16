// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The clients of a run, and the auditor, who reads everything from the start.
final class SimCrowd {
  let clients: [SimClient]
  let auditor: SimClient
  private let chronicle: Chronicle

  init(_ chronicle: Chronicle, _ weather: Weather) {
    self.chronicle = chronicle
    auditor = SimClient(chronicle, app: "auditor", uid: 1_000, isReader: false)
    let apps = (0..<weather.clients).map { index in
      let uid = 1_000 + UInt32(index / 3)
      return SimClient(chronicle, app: "app\(index % 3)", uid: uid, isReader: false)
    }
    let readers = (0..<weather.readers).map { index in
      SimClient(chronicle, app: "reader\(index)", uid: 1_000, isReader: true)
    }
    clients = apps + readers
  }

  var all: [SimClient] { clients + [auditor] }

  /// Whether nobody waits for anything.
  var isCalm: Bool {
    all.allSatisfy { client in
      !client.isBusy && (client.view?.isCaughtUp ?? true) && !client.hasMore
    }
  }

  /// Whether the bus may have failed to keep entries, as all clients know.
  var isTroubled = false {
    didSet { for client in all { client.isTroubled = isTroubled } }
  }

  /// Has lines tampered with on their way to each client, and each line noted where that is wanted.
  func listen(_ tampering: ((Dice) -> (([UInt8]) -> [[UInt8]])?)?, _ dice: Dice, _ trace: Trace) {
    for client in all {
      client.tampers = tampering?(dice)
      guard trace.isWanted else { continue }
      client.onLine = { [judge = chronicle.judge] client, line in
        trace.note(judge.step, "\(client.app) hears \(shown(line))")
      }
    }
  }

  func writeAll() { for client in all { _ = client.writeRequests() } }

  func readAll() { for client in all { _ = client.readReplies(.max) } }

  func readToTheEnd() { for client in all { while client.readReplies(.max) {} } }

  func tell(retained first: Int64) { for client in all { client.retained = first } }

  /// Has everybody leave; `first` tells the oldest entry that the log still has.
  func leaveAll(_ first: () -> Int64) {
    for client in all { client.leave() }
    let retained = first()
    for client in all {
      for view in client.finished { view.close(retained: retained, isAtRest: false) }
      client.finished = []
    }
  }

  /// Judges all views at rest: a subscriber to everything has everything.
  func close(retained: Int64) {
    for client in all {
      guard let view = client.view else { continue }
      if view.filter == nil, !view.isLatest {
        chronicle.judge.check(
          view.position == chronicle.top,
          expected: "\(client.app): everything up to \(chronicle.top)",
          came: "up to \(view.position)"
        )
      }
      view.close(retained: retained, isAtRest: true)
    }
  }
}
