// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

/// What the processes behind speech-dispatcher were last seen doing.
///
/// A synthesizer that speaks for another program tells us nothing, and within a long word it tells
/// nothing either; but whoever plays sound works. One that hangs does nothing, and so does one that
/// waits for a sound server that hangs. So the time that the busiest process has used is the sign
/// of life. Where no process can be seen, deadlines by the length of the text stand in for it.
struct VoiceWatch: Equatable {
  private static let interval: Int64 = 1_000_000
  /// The longest pause between two looks that can be compared.
  private static let memory: Int64 = 2_500_000
  /// The work of a process that plays, at least: a thousandth of the time.
  ///
  /// With speech-dispatcher 0.11.4 the one that plays uses fifty thousandths, and an idle one two
  /// ten-thousandths.
  private static let leastShare: Int64 = 1_000

  /// The moment of the last look.
  private var last: Int64?
  private(set) var due: Int64?
  private(set) var stirred: Int64?
  /// Whether there were processes to be seen.
  private(set) var isSeen = false
  /// Whether nothing stirred between the last two looks.
  private var isStill = false

  /// Has the next look wait for something to happen.
  mutating func begin(at now: Int64) { due = now + Self.interval }

  /// Takes the time that the busiest process has worked since the last look, and returns the
  /// moment since which that is; nil where it tells nothing.
  mutating func see(_ work: Int64?, at now: Int64) -> Int64? {
    let before = last
    (last, due, isSeen, isStill) = (now, now + Self.interval, work != nil, false)
    guard let work, let before, now > before, now - before <= Self.memory else { return nil }
    isStill = work * Self.leastShare < now - before
    guard !isStill else { return nil }
    stirred = now
    return before
  }

  /// Whether something was at work a moment ago.
  func works(at now: Int64) -> Bool { stirred.map { now - $0 < Self.memory } ?? false }

  /// Whether nobody would miss the processes: they do nothing, or are not to be seen at all.
  func isHarmless(at now: Int64) -> Bool {
    guard let last, now - last < 2 * Self.interval else { return false }
    return !isSeen || isStill
  }
}

/// Waits: how long for whom, and what the bus is told meanwhile.
extension Voice {
  /// A message that nothing is before begins within some milliseconds.
  private static let beginPatience: Int64 = 3_000_000
  /// The time beyond the estimate in which the next mark or the end has to come.
  private static let markPatience: Int64 = 5_000_000
  /// The time for which a message that is spoken may be without any sign of life.
  private static let stillPatience: Int64 = 4_000_000
  /// The time that a word may take beyond six times its estimate, with signs of life.
  private static let wordPatience: Int64 = 10_000_000
  /// The longest wait for others that speak.
  static let longestWait: Int64 = 300_000_000
  /// The bus wants to be told at least every five seconds.
  static let tellInterval: Int64 = 4_000_000

  /// The moment by which something has to be heard of the current message.
  ///
  /// The wait for others ends while they still speak; every other wait ends for want of signs.
  var currentDue: Int64? {
    guard let utterance = current, let given = utterance.given else { return nil }
    guard let began = utterance.began, let passed = utterance.passed else {
      let end = (utterance.stirred ?? given) + Self.beginPatience
      return min(end, utterance.came + Self.longestWait)
    }
    // A sound or a proof is over within half a second.
    guard utterance.delivery != nil else { return began + Self.beginPatience }
    let marks = repair.expectsMarks(of: synthesizer(of: utterance))
    let mark = marks ? utterance.mark ?? 0 : nil
    let estimate =
      Int64(utterance.spoken.weight(behind: mark)) * utterance.manner.longestCharacter
    guard watch.isSeen else { return passed + 2 * estimate + Self.markPatience }
    let sign = utterance.lastSign ?? passed
    return min(sign + Self.stillPatience, passed + 6 * estimate + Self.wordPatience)
  }

  // MARK: Looking

  private var isWatching: Bool { current != nil || !dialogue.isIdle || mend != nil }

  var lookDue: Int64? { isWatching ? watch.due : nil }

  mutating func lookAgain(at now: Int64) {
    guard let due = lookDue, due <= now else { return }
    watch.begin(at: now)
    acts.append(.look)
  }

  /// Takes the time that the busiest process behind speech-dispatcher has worked since the last
  /// look, in microseconds; nil where none is to be seen.
  package mutating func observe(work: Int64?, at now: Int64) {
    let since = watch.see(work, at: now)
    // What was done before the message came is no sign of it.
    if let since, let given = current?.given, since >= given { current?.stirred = now }
    goOnMending(at: now)
  }

  // MARK: Mending

  /// Ends processes and connects anew, as soon as nobody is spoken for.
  mutating func startMending(by act: VoiceAct, at now: Int64) {
    mend = (act, now)
    goOnMending(at: now)
    guard mend != nil else { return }
    watch.begin(at: now)
    acts.append(.look)
  }

  mutating func goOnMending(at now: Int64) {
    guard let wanted = mend else { return }
    let isLate = now - wanted.since >= Self.longestWait
    guard watch.isHarmless(at: now) || isLate else { return }
    (mend, dialogue, link) = (nil, SsipDialogue(), .opening)
    // What still works then is left alone.
    acts.append(watch.isHarmless(at: now) ? wanted.act : .connect)
  }

  // MARK: Telling

  /// The utterance of the bus that is spoken, or would be if nothing were before it.
  var awaited: Utterance? {
    current?.delivery == nil ? waiting.first { $0.delivery != nil } : current
  }

  var tellDue: Int64? { awaited == nil ? nil : tells }

  /// Tells the bus how far the current text has come, if there was a sign of it.
  mutating func tellProgress(at now: Int64) {
    guard let due = tells, due <= now, let utterance = awaited, let seq = utterance.delivery else {
      return
    }
    tells = now + Self.tellInterval
    guard let began = utterance.began else {
      let sign = current?.stirred ?? (mend == nil ? nil : watch.stirred)
      guard let sign, now - sign < Self.tellInterval, now - utterance.came < Self.longestWait
      else { return }
      return report(SpeechReport(of: seq, .progress, heard: 0))
    }
    // Where no process is to be seen, the deadline by the text's length is all there is.
    let sign = watch.isSeen ? utterance.lastSign ?? began : now
    guard now - sign < Self.tellInterval else { return }
    report(SpeechReport(of: seq, .progress, heard: (sign - began) / 1_000))
  }
}
