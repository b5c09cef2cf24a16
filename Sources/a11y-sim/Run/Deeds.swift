// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
