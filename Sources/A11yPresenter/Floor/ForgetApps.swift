// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

// The events of a forgotten app are not spoken any more either, and no trace of the app stays in
// the tables.
extension Presenter {
  /// Forgets apps with all that they have said; false where nothing was known of them.
  ///
  /// Waiting events go without an outcome, for their entries go too. Speech of the app is stopped.
  @discardableResult
  public mutating func forget(_ isMeant: (_ app: String, _ uid: Int64) -> Bool) -> Bool {
    func isOf(_ app: AppKey) -> Bool { isMeant(app.app.text, Int64(app.uid)) }
    let before = model
    model.forget(isMeant)
    var isKnown = model != before
    for seq in waiting.seqs {
      guard let item = waiting[seq], isOf(item.app), let gone = waiting.withdraw(seq) else {
        continue
      }
      pipeline.duplicates.retract(gone)
      isKnown = true
    }
    forgetNames(isOf)
    if let echo = floor.lastText, isOf(echo.app) { floor.lastText = nil }
    if let echo = floor.lastLabel, isOf(echo.app) { floor.lastLabel = nil }
    floor.echoes.forget { isOf($0.app) }
    for cut in floor.cuts where isOf(cut.item.app) { waiting.alarms.cancel(.cut(cut.item.seq)) }
    floor.cuts.removeAll { isOf($0.item.app) }
    floor.past.remove { isOf($0.app) }
    decisions.forgetMissing { isOf($0.app) }
    for route in focus.gestures where isOf(route.app) {
      waiting.alarms.cancel(.gesture(route.action))
    }
    focus.gestures.removeAll { isOf($0.app) }
    for pause in waiting.quiet.pauses where isOf(pause.app) { endPause(pause.conn) }
    if let media = focus.media, isOf(media.app) { focus.media = nil }
    if actions.forget(isOf) { isKnown = true }
    if forgetRows(isOf) { isKnown = true }
    if let speech = floor.speaking, isOf(speech.item.app) {
      endSpeaking()
      silence(speech.ticket, speech.seq, AppKey(uid: 0, app: Name("")), by: nil)
      // The next event has its turn now.
      waiting.alarms.set(.estimate, at: now, by: cause)
      isKnown = true
    }
    return isKnown
  }

  /// Summaries that count what others have said as well do not name those that are forgotten.
  private mutating func forgetNames(_ isOf: (AppKey) -> Bool) {
    waiting.quiet.disturbance.expired?.others.removeAll(where: isOf)
    for seq in waiting.seqs { waiting.change(seq) { $0.summary?.others.removeAll(where: isOf) } }
  }

  private mutating func forgetRows(_ isOf: (AppKey) -> Bool) -> Bool {
    func isMeant(_ key: Key) -> Bool { isOf(AppKey(uid: key.uid, app: key.app)) }
    let stages = pipeline.removeRows(where: isMeant, &waiting.alarms)
    let focused = focus.wishes.remove(where: isMeant) + focus.screens.remove(where: isMeant)
    return stages || !focused.isEmpty
  }
}
