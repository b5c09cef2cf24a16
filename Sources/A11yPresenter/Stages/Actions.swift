// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// The user's last actions, of which events are told to be the consequence.
struct Actions: Sendable {
  struct Action: Sendable {
    var seq: Seq
    var mono: Instant
    var app: AppKey
    var window: Name?
    var element: Name?
    /// Something that tells of it has come.
    var hadFeedback = false
    /// How much of it has not ended.
    var feedback: Int64 = 0
  }

  /// The actions, behind some that are forgotten: to take them out one by one would move all others
  /// for each of them.
  private var list: [Action] = []
  private var forgotten = 0
  private var last: [AppKey: Seq] = [:]

  /// The oldest first.
  var all: ArraySlice<Action> { list[forgotten...] }

  /// The last action of an app.
  func last(of app: AppKey) -> Action? { last[app].flatMap { self[$0] } }

  subscript(seq: Seq) -> Action? {
    // The newest are asked for most.
    all.last { $0.seq == seq }
  }

  /// Something that tells of an action has come.
  func hadFeedback(_ seq: Seq) -> Bool { self[seq]?.hadFeedback ?? false }

  /// Something that tells of an action is still to be heard.
  func hasFeedback(_ seq: Seq) -> Bool { (self[seq]?.feedback ?? 0) > 0 }

  mutating func note(_ action: Action) {
    if all.count >= Bounds.actions {
      let gone = list[forgotten]
      if last[gone.app] == gone.seq { last[gone.app] = nil }
      forgotten += 1
    }
    if forgotten >= Bounds.actions {
      list.removeFirst(forgotten)
      forgotten = 0
    }
    list.append(action)
    last[action.app] = action.seq
  }

  /// Forgets what the user has done in these apps; false where that is nothing.
  mutating func forget(_ isMeant: (AppKey) -> Bool) -> Bool {
    let before = all
    list = before.filter { !isMeant($0.app) }
    forgotten = 0
    last = last.filter { !isMeant($0.key) }
    return list.count < before.count
  }

  mutating func noteFeedback(of seq: Seq) {
    guard let index = all.lastIndex(where: { $0.seq == seq }) else { return }
    list[index].hadFeedback = true
    list[index].feedback += 1
  }

  mutating func endFeedback(of seq: Seq) {
    guard let index = all.lastIndex(where: { $0.seq == seq }) else { return }
    list[index].feedback -= 1
  }
}

extension Presenter {
  /// The action that an event names as its cause or, without one, has come soon after.
  func action(of event: borrowing WireEvent) -> Seq? {
    guard let cause = event.member(.cause) else {
      return actions.last(of: head.app).flatMap { now - $0.mono <= Bounds.feedback ? $0.seq : nil }
    }
    if let seq = event.line.integer(cause) { return Seq(seq) }
    return event.line.isKey(cause, "user") ? actions.last(of: head.app)?.seq : nil
  }

  /// Finds the action that an event belongs to, if any.
  func relate(_ item: inout Item, _ event: borrowing WireEvent) {
    item.action = action(of: event)
    if item.kind == .report, let cause = event.member(.cause) {
      item.isByReport = event.line.isKey(cause, "user")
    }
    if let element = item.facts.element { item.isActed = isActed(on: element, event) }
    item.isAnswer = item.kind == .announcement && isAnswer(event)
  }

  /// Whether an event belongs to an action on this very element.
  func isActed(on element: Name, _ event: borrowing WireEvent) -> Bool {
    guard let action = action(of: event).flatMap({ actions[$0] }) else { return false }
    return action.element == element && action.app == head.app
  }

  /// Whether an event says itself that it comes of what the user has done with its app.
  private func isAnswer(_ event: borrowing WireEvent) -> Bool {
    guard let cause = event.member(.cause) else { return false }
    if let seq = event.line.integer(cause) { return actions[Seq(seq)]?.app == head.app }
    guard event.line.isKey(cause, "user"), let last = actions.last(of: head.app) else {
      return false
    }
    return now - last.mono <= Bounds.answer
  }
}

extension Actions.Action: Recorded {
  static var blank: Actions.Action {
    Actions.Action(seq: .none, mono: .blank, app: .blank, window: nil, element: nil)
  }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.seq, &self.mono, &self.app, &self.window)
    scribe.transcribe(&self.element, &self.hadFeedback, &self.feedback)
  }
}
