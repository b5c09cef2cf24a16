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

/// Has clients do what clients do.
struct Deeds {
  private let dice: Dice
  private let maker: EventMaker
  private let wishes: WishMaker
  private let trace: Trace
  private let judge: Judge
  /// Whether apps are forgotten now and then.
  private let forgets: Bool

  init(_ dice: Dice, _ chronicle: Chronicle, _ weather: Weather, _ trace: Trace) {
    self.dice = dice
    maker = chronicle.maker
    judge = chronicle.judge
    wishes = WishMaker(dice, chronicle)
    self.trace = trace
    forgets = weather.forgets
  }

  /// Has a connected client publish, ask, subscribe, stall, report or leave.
  func act(_ client: SimClient, in crowd: SimCrowd, retained: Int64) {
    if client.isReader, client.isSubscribed, dice.chance(60) {
      return client.report(maker, dice)
    }
    switch dice.below(100) {
    case 0..<55:
      let count = dice.once(in: 8) ? dice.within(5...20) : dice.within(1...3)
      for _ in 0..<count { client.publish(maker.make(app: client.app, uid: client.uid)) }
      describe("\(client.app) publishes \(count)")
    case 55..<60: client.ping()
    case 60..<65: client.askState(at: wishes.pastSeq(retained: retained))
    case 65..<82:
      if !client.isSubscribed, !client.hasAskedToSubscribe {
        let wish = wishes.wish(client)
        describe("\(client.app): \(wish.request)")
        client.subscribe(wish)
      }
    case 82..<86: if client.isSubscribed, !client.isBusy { client.unsubscribe() }
    case 86..<92: client.isStalled.toggle()
    case 92:
      describe("\(client.app) has the rules read again")
      client.reload()
    case 93:
      guard forgets else { return client.isStalled.toggle() }
      describe("\(client.app) has \(crowd.clients[0].app) forgotten")
      client.forget(crowd.clients[0].app)
    default:
      describe("\(client.app) vanishes")
      client.leave()
    }
  }

  private func describe(_ words: @autoclosure () -> String) { trace.note(judge.step, words()) }
}
