// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yClient

/// The board: deliveries become the cells of a display, one message at a time.
///
/// A message that leaves too early is lost, and one that stays hides the reader's own screen. So a
/// message stays for as long as its length needs, from its coming or from the last key on. The next
/// one waits, except where it is more important, or where the user or the bus has gone on from the
/// one that is shown. Silence is for ears, so it takes nothing away; a withdrawn event does.
///
/// The board reads no clock and owns no display. It gets deliveries, keys and the time, and `cells`
/// is the content of the display. All times are in microseconds.
package struct Board {
  /// A key of the display that turns the pages.
  package enum Key: Sendable {
    /// One window to the left (FWINLT).
    case left
    /// One window to the right (FWINRT).
    case right
  }

  /// The message on the display.
  private struct Shown {
    /// The place of the message among the recent ones.
    var place: Int
    var window = 0
    /// The moment at which it leaves.
    var until: Int64
    /// Whether the user or the bus has gone on, so that anything new may take its place.
    var isReleased = false
  }

  /// The settings, from the next message on.
  package var settings: BrailleSettings
  private var size: DisplaySize?
  /// The messages that were shown or passed over, the newest last.
  private var recent: [BrailleMessage] = []
  private var shown: Shown?
  private var windows: [String] = []
  /// The messages that wait for the display, in the order of their coming.
  private var waiting: [BrailleMessage] = []
  private var hidden: HiddenDelivery?

  /// The moment at which the display went away; nil while it is there.
  private var goneSince: Int64?

  /// The longest absence of a display after which its messages are shown: a BRLTTY that is started
  /// anew is back within some seconds, and later they are no news.
  package static let shortAbsence: Int64 = 15_000_000
  /// Messages to go back to: more than anybody looks for with one key.
  package static let mostRecent = 32
  /// Messages that wait; the bus gives one at a time, so they come at the pace of speech.
  package static let mostWaiting = 16

  package init(_ settings: BrailleSettings) { self.settings = settings }

  /// The content of the whole display; nil where the display is not ours.
  package var cells: String? {
    guard let shown, windows.indices.contains(shown.window) else { return nil }
    return windows[shown.window]
  }

  /// The moment at which `ring` has to be called.
  package var due: Int64? {
    let hasMessage = shown != nil || !waiting.isEmpty
    let leaves = goneSince.map { hasMessage ? $0 + Self.shortAbsence : nil } ?? shown?.until
    return [hidden?.until, leaves].compactMap { $0 }.min()
  }

  // MARK: The bus

  package mutating func accept(_ delivery: DeliveryEntry, at now: Int64) {
    giveUpSecret(hidden?.delivery, at: now)
    if let cut = delivery.interrupts { release(cut) }
    if delivery.hiddenRuns.isEmpty {
      offer(BrailleMessage(delivery, delivery.speech.text, isSecret: false), at: now)
    } else {
      hidden = HiddenDelivery(delivery, at: now)
    }
  }

  /// Takes the secret words of the last delivery.
  package mutating func receiveSecret(
    of seq: Int64,
    kind: String,
    _ words: SpeechText,
    at now: Int64
  ) {
    guard let delivery = hidden.take(seq) else { return }
    // A screen reader shows its own words itself.
    if kind == "reading" { return }
    offer(delivery.message(kind: kind, words), at: now)
  }

  /// The user has gone on: the present message gives way to the next that comes.
  package mutating func goOn() { shown?.isReleased = true }

  /// Takes the messages away that tell of a withdrawn event.
  package mutating func withdraw(_ event: Int64, at now: Int64) {
    if hidden?.delivery.of.contains(event) == true { hidden = nil }
    waiting.removeAll { $0.of.contains(event) }
    var isShownGone = false
    for place in recent.indices.reversed() where recent[place].of.contains(event) {
      recent.remove(at: place)
      guard let shown else { continue }
      if shown.place == place { isShownGone = true }
      if shown.place > place { self.shown?.place -= 1 }
    }
    if isShownGone { showNext(at: now) }
  }

  /// The seqs of the bus begin anew: entries that come name none of the messages at hand.
  package mutating func startOver(at now: Int64) {
    (recent, waiting, hidden) = ([], [], nil)
    showNext(at: now)
  }

  /// Shows what is known of a delivery whose secret words have not come.
  private mutating func giveUpSecret(_ delivery: DeliveryEntry?, at now: Int64) {
    guard let delivery else { return }
    hidden = nil
    offer(delivery.openMessage, at: now)
  }

  /// The bus has cut a delivery off: in its place comes another.
  private mutating func release(_ seq: Int64) {
    if let shown, recent[shown.place].seq == seq { goOn() }
    if let place = waiting.firstIndex(where: { $0.seq == seq }) {
      passOver(waiting.remove(at: place))
    }
  }

  // MARK: Messages

  private mutating func offer(_ message: BrailleMessage, at now: Int64) {
    guard !message.text.isEmpty else { return }
    if let shown, recent[shown.place].of == message.of, recent[shown.place].text == message.text {
      // The bus says once more what stands there already.
      recent[shown.place] = message
      self.shown?.isReleased = false
      renew(at: now)
    } else if yields(to: message) {
      present(message, at: now)
    } else {
      enqueue(message)
    }
  }

  private func yields(to message: BrailleMessage) -> Bool {
    guard let shown else { return true }
    // An earlier message that the user has gone back to was heard of in time.
    let isPresent = shown.place == recent.count - 1
    let rank = isPresent ? recent[shown.place].rank : .usual
    return message.rank > rank
      || shown.isReleased && (rank != .high || message.rank == .high)
  }

  private mutating func enqueue(_ message: BrailleMessage) {
    waiting.append(message)
    guard waiting.count > Self.mostWaiting,
      let least = waiting.map(\.rank).min(),
      let place = waiting.firstIndex(where: { $0.rank == least })
    else { return }
    passOver(waiting.remove(at: place))
  }

  /// Puts a message among the recent ones unshown, in front of the present one.
  private mutating func passOver(_ message: BrailleMessage) {
    guard !message.isSecret else { return }
    let place = shown == nil ? recent.count : recent.count - 1
    recent.insert(message, at: place)
    if let shown, shown.place >= place { self.shown?.place += 1 }
    forgetOldest()
  }

  private mutating func forgetOldest() {
    while recent.count > Self.mostRecent {
      // The message on the display stays, however old it is.
      let place = shown?.place == 0 ? 1 : 0
      recent.remove(at: place)
      if let shown, shown.place > place { self.shown?.place -= 1 }
    }
  }

  // MARK: The display

  /// Takes the measures of the display; nil where there is none.
  ///
  /// The time of a message stands still without a display, so that a short absence costs none.
  package mutating func resize(to size: DisplaySize?, at now: Int64) {
    guard size != self.size else { return }
    ring(at: now)
    if size == nil {
      goneSince = now
    } else if goneSince != nil {
      goneSince = nil
      renew(at: now)
    }
    self.size = size
    shown?.window = 0
    layOut()
  }

  /// The display is away for so long that its messages are no news any more.
  private mutating func giveUpMessages() {
    clear()
    for message in waiting { passOver(message) }
    waiting = []
  }

  /// Does everything whose time has come.
  package mutating func ring(at now: Int64) {
    giveUpSecret(hidden.takeLate(at: now), at: now)
    guard let goneSince else {
      if let until = shown?.until, until <= now { showNext(at: now) }
      return
    }
    if goneSince + Self.shortAbsence <= now { giveUpMessages() }
  }

  private mutating func present(_ message: BrailleMessage, at now: Int64) {
    clear()
    recent.append(message)
    turn(to: recent.count - 1, at: now)
    forgetOldest()
  }

  private mutating func turn(to place: Int, at now: Int64) {
    shown = Shown(place: place, until: now)
    renew(at: now)
    layOut()
  }

  private mutating func showNext(at now: Int64) {
    clear()
    guard let first = waiting.map(\.rank).max(),
      let place = waiting.firstIndex(where: { $0.rank == first })
    else { return }
    present(waiting.remove(at: place), at: now)
  }

  /// Takes the message off; a secret is gone once it has left the display.
  private mutating func clear() {
    recent.removeAll(where: \.isSecret)
    (shown, windows) = (nil, [])
  }

  private mutating func renew(at now: Int64) {
    guard let shown else { return }
    self.shown?.until = now + settings.time(forCharacters: recent[shown.place].text.count)
  }

  private mutating func layOut() {
    windows = []
    guard let size, let shown else { return }
    windows = recent[shown.place].text.windows(on: size)
  }

  // MARK: Keys

  /// Turns the page, or goes to another message where there is no page; it stays as if it were new.
  package mutating func press(_ key: Key, at now: Int64) {
    guard let shown else { return }
    self.shown?.isReleased = false
    renew(at: now)
    switch key {
    case .right where shown.window + 1 < windows.count: self.shown?.window += 1
    case .left where shown.window > 0: self.shown?.window -= 1
    // A message that is read to its end makes room.
    case .right where shown.place == recent.count - 1: showNext(at: now)
    case .right: turn(to: shown.place + 1, at: now)
    case .left where shown.place > 0: goBack(to: shown.place - 1, at: now)
    case .left: break
    }
  }

  private mutating func goBack(to place: Int, at now: Int64) {
    turn(to: place, at: now)
    // The one message behind it that may be a secret has just left.
    recent.removeAll(where: \.isSecret)
  }
}
