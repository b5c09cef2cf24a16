// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

// What is forgotten of the log is not said any more either, and nobody is known by it.
extension Presenter {
  /// Forgets apps with all that they have said; false where nothing was known of them.
  ///
  /// What waits goes without an outcome, for its entry goes too. What is being spoken is stopped.
  @discardableResult
  public mutating func forget(_ isMeant: (_ app: String, _ uid: Int64) -> Bool) -> Bool {
    func isOf(_ app: AppKey) -> Bool { isMeant(app.app.text, Int64(app.uid)) }
    let before = model
    model.forget(isMeant)
    var isKnown = model != before
    for seq in items.keys.sorted() {
      guard let item = items[seq], isOf(item.app), let gone = unpark(seq) else { continue }
      forgetWaiting(gone)
      isKnown = true
    }
    forgetNames(isOf)
    if let echo = lastText, isOf(echo.app) { lastText = nil }
    if let echo = lastLabel, isOf(echo.app) { lastLabel = nil }
    echoes.forget { isOf($0.app) }
    for cut in cuts where isOf(cut.item.app) { alarms.cancel(.cut(cut.item.seq)) }
    cuts.removeAll { isOf($0.item.app) }
    missing = missing.filter { !isOf($0.value.app) }
    for route in focus.gestures where isOf(route.app) { alarms.cancel(.gesture(route.action)) }
    focus.gestures.removeAll { isOf($0.app) }
    for pause in pauses where isOf(pause.app) { endPause(pause.conn) }
    if let media = focus.media, isOf(media.app) { focus.media = nil }
    if actions.forget(isOf) { isKnown = true }
    if forgetRows(isOf) { isKnown = true }
    if let speech = speaking, isOf(speech.item.app) {
      endSpeaking()
      decide(
        .silence(
          Silence(
            ticket: speech.ticket,
            of: speech.seq,
            by: nil,
            isHold: false,
            app: AppKey(uid: 0, app: Name(""))
          )
        )
      )
      // Whoever waits for its turn has it now.
      alarms.set(.estimate, at: now, by: cause)
      isKnown = true
    }
    return isKnown
  }

  /// Summaries that count what others have said as well do not name those that are forgotten.
  private mutating func forgetNames(_ isOf: (AppKey) -> Bool) {
    disturbance.expired?.others.removeAll(where: isOf)
    for seq in items.keys { items[seq]?.summary?.others.removeAll(where: isOf) }
  }

  private mutating func forgetRows(_ isOf: (AppKey) -> Bool) -> Bool {
    func isMeant(_ key: Key) -> Bool { isOf(AppKey(uid: key.uid, app: key.app)) }
    let waited =
      busies.remove(where: isMeant).map { Alarms.Alarm.busy($0) }
      + storms.remove(where: isMeant).map { .storm($0) }
      + windows.remove(where: isMeant).map { .window($0) }
      + buckets.remove(where: isMeant).map { .bucket($0) }
    for alarm in waited { alarms.cancel(alarm) }
    let remembered =
      memory.remove(where: isMeant) + focus.wishes.remove(where: isMeant)
      + focus.screens.remove(where: isMeant)
    return !waited.isEmpty || !remembered.isEmpty
  }
}
