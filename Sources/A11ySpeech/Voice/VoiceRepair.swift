// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The losses of the voice in a row, and the steps against them.
///
/// After the first loss speech-dispatcher is asked to start its synthesizers anew. After the second
/// one it is started anew itself, and has to prove with a moment of silence that sound comes
/// through before anything is entrusted to it. Without that proof the synthesizers are started anew
/// once more, and then speech-dispatcher is replaced, whoever has started it: a synthesizer that
/// ends in the middle of a text may leave a mark in it for ever, and then it never speaks again.
/// Without any proof there is no sound, and the proof is tried again after ten seconds, and then
/// ever more rarely.
struct VoiceRepair: Equatable {
  /// The time in which speech-dispatcher starts a synthesizer.
  static let reviving: Int64 = 500_000
  /// The time in which speech-dispatcher answers that it has stopped everything.
  static let answering: Int64 = 2_500_000
  private static let firstRetry: Int64 = 10_000_000
  private static let longestRetry: Int64 = 60_000_000

  /// The step behind a proof that has failed.
  enum Step {
    /// Synthesizers that were ended are missed with the first proof, and are started then.
    case revive
    case replace
    case giveUp
  }

  private var losses = 0
  private(set) var needsProof = false
  private var proofs = 0
  /// Whether speech-dispatcher was replaced since the last message.
  private var hasReplaced = false
  /// Synthesizers that have told how far they come.
  private var marking: Set<String> = []
  private static let mostMarking = 64
  private var restsUntil: Int64?
  private var retry: Int64?
  private var nextWait = firstRetry

  /// Whether the last message was spoken, and nothing is owed.
  var isHealthy: Bool { losses == 0 && !needsProof }

  /// Whether no message was spoken between two losses, and this is the first one.
  var isFirst: Bool { losses <= 1 }

  func lets(speakAt now: Int64) -> Bool { restsUntil.map { $0 <= now } ?? true }

  var due: Int64? { [restsUntil, retry].compactMap { $0 }.min() }

  mutating func countLoss() { losses += 1 }

  mutating func rest(until time: Int64) { restsUntil = time }

  mutating func demandProof() {
    needsProof = true
    proofs = 0
    restsUntil = nil
  }

  mutating func retryLater(at now: Int64) {
    retry = now + nextWait
    nextWait = min(nextWait * 2, Self.longestRetry)
  }

  /// Whether it is time to try again, which then is done once.
  mutating func takeRetry(at now: Int64) -> Bool {
    if let until = restsUntil, until <= now { restsUntil = nil }
    guard let time = retry, time <= now else { return false }
    retry = nil
    return true
  }

  /// Takes a failed proof, and tells what to do next.
  mutating func failProof() -> Step {
    proofs += 1
    return proofs == 1 ? .revive : failAltogether()
  }

  /// Takes the loss of a speech-dispatcher that owes a proof, and tells what to do next.
  mutating func failAltogether() -> Step {
    defer { hasReplaced = true }
    return hasReplaced ? .giveUp : .replace
  }

  /// Takes the end of a message, and tells whether it ends a repair.
  mutating func succeed() -> Bool {
    defer { (losses, needsProof, hasReplaced, nextWait) = (0, false, false, Self.firstRetry) }
    return needsProof || losses > 0
  }

  /// Whether a synthesizer tells how far it comes; those by eSpeak do.
  func expectsMarks(of synthesizer: String) -> Bool {
    synthesizer.hasPrefix("espeak") || marking.contains(synthesizer)
  }

  /// Takes a mark, after which further ones are expected of this synthesizer.
  mutating func seeMark(of synthesizer: String) {
    if marking.count < Self.mostMarking { marking.insert(synthesizer) }
  }
}
