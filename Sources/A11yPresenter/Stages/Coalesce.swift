// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// Rapid events of one key until they settle.
///
/// The first is presented at once where the rule wants it so, that the user hears a response; of those
/// that follow the newest waits until it is quiet, but never longer than the rule's longest wait.
struct Window: Sendable {
  var lastAt: Int64
  var pending: Seq?
  var since: Int64?
}

extension Presenter {
  /// The key under which an event is told from others that say something else.
  func coalescingKey(of item: Item) -> Key? {
    switch item.kind {
    case .status, .focus, .report: return Key(item.kind.rawValue, AppKey(uid: 0, app: Name("")))
    case .digest: return nil
    case .announcement, .layout, .screen, .page, .value: break
    }
    // A summary speaks of many, so it is no value of anything.
    guard item.summary == nil else { return nil }
    if let key = Key(item.treatment.key.value, domain(of: item), item) { return key }
    // An app that gives a key and wants the latest only has made one of its own.
    guard item.mode != .all, item.key != nil else { return nil }
    return Key([[.app, .key]], domain(of: item), item)
  }

  private func domain(of item: Item) -> String {
    item.kind == .announcement ? item.facts.speechClass.word : item.kind.rawValue
  }

  mutating func coalesce(_ item: consuming Item) {
    guard !item.isSettled, item.mode != .all, let key = coalescingKey(of: item) else {
      deduplicate(item)
      return
    }
    item.ahead = older(than: item, of: key)
    let quiet = item.treatment.debounce.value
    if item.ahead != nil {
      // The older one is further on its way, and there this one takes its place.
      if let place = windows.place(of: key) { windows[place].lastAt = now }
      deduplicate(item)
      return
    }
    guard quiet > 0 else {
      // What waits to settle is older than this, which need not.
      if let place = windows.place(of: key) { replacePending(of: place, by: &item) }
      deduplicate(item)
      return
    }
    guard let place = windows.place(of: key) else {
      if let gone = windows.leaving(isSpent: { $0.pending == nil }) { closeWindow(gone) }
      let place = windows.insert(key, Window(lastAt: now, pending: nil, since: nil))
      begin(item, in: place)
      return
    }
    windows.touch(place)
    let window = windows[place]
    if window.pending == nil, now >= window.lastAt + quiet {
      begin(item, in: place)
      return
    }
    replacePending(of: place, by: &item)
    wait(item, in: place)
  }

  private mutating func replacePending(of place: Int, by item: inout Item) {
    guard let older = windows[place].pending.flatMap({ unpark($0) }) else { return }
    windows[place].pending = nil
    inherit(&item, from: older)
    item.succeed(older)
    var why = waited(older)
    why.window = older.treatment.debounce.value
    settle(older, .coalesced, by: item.seq, rule: older.treatment.debounce.rule, why)
  }

  private mutating func begin(_ item: consuming Item, in place: Int) {
    windows[place].lastAt = now
    if item.treatment.leading.value {
      deduplicate(item)
    } else {
      wait(item, in: place)
    }
  }

  private mutating func wait(_ item: consuming Item, in place: Int) {
    let since = windows[place].since ?? now
    windows[place].since = since
    windows[place].lastAt = now
    windows[place].pending = item.seq
    var due = now + item.treatment.debounce.value
    let longest = item.treatment.maxWait.value
    if longest > 0 { due = min(due, since + longest) }
    alarms.set(.window(place), at: due, by: item.seq)
    item.blamed = item.treatment.debounce.rule
    // The first of the burst has it.
    if item.kind == .screen, item.treatment.leading.value { item.earcon = nil }
    park(item, .coalescing)
  }

  /// The last argument that is not empty wins: a later layout-changed without one does not take back
  /// what an earlier one has said.
  private func inherit(_ item: inout Item, from older: Item) {
    guard item.kind == .layout, item.facts.element == nil, item.text.isEmpty else { return }
    item.facts.element = older.facts.element
    item.text = older.text
    item.isSecret = older.isSecret
  }

  mutating func endWindow(_ place: Int) {
    windows[place].lastAt = now
    guard var item = takePending(of: place) else { return }
    item.ahead = coalescingKey(of: item).flatMap { older(than: item, of: $0) }
    deduplicate(item)
  }

  /// A window gives way to another: what waits in it goes on now.
  private mutating func closeWindow(_ place: Int) {
    let item = takePending(of: place)
    alarms.cancel(.window(place))
    windows.remove(at: place)
    if let item { deduplicate(item) }
  }

  private mutating func takePending(of place: Int) -> Item? {
    let pending = windows[place].pending
    windows[place].pending = nil
    windows[place].since = nil
    return pending.flatMap { unpark($0) }
  }
}
