// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yEngine
internal import A11yModel
internal import A11yWire

/// What events say that the log must not know, for as long as it may still be spoken.
///
/// It is in the memory of this process and nowhere else. An event that has its outcome, or comes to
/// none, takes its words with it; so there are never more of them than events that wait.
struct Secrets {
  /// The runs that are to be spoken.
  typealias Found = (runs: [UInt8], kind: Secret.Kind)

  private enum Words {
    case text([UInt8])
    /// The values of elements.
    case values([Name: Found])
  }

  private var words: [Seq: Words] = [:]

  /// Keeps what is secret in an event, before the model changes by it.
  mutating func keep(
    _ event: borrowing WireEvent,
    as seq: Seq,
    _ type: EventType,
    isSecure: (Name) -> Bool
  ) {
    let isSensitive = event.flag(.sensitive)
    if type == .elements {
      let secure = event.line.secrecy(ofElements: event.index, isSecure: isSecure)
      keepValues(event, seq, isSensitive ? .all : secure, secure: secure)
    } else if isSensitive, let runs = Engine.runs(of: event) {
      words[seq] = .text(runs)
    }
  }

  private mutating func keepValues(
    _ event: borrowing WireEvent,
    _ seq: Seq,
    _ secrecy: Secrecy,
    secure: Secrecy
  ) {
    if case .none = secrecy { return }
    var values: [Name: Found] = [:]
    // In this order they are taken: what comes later counts.
    let line = event.line
    for field in [WireEvent.Member.replace, .upsert] {
      guard let list = event.member(field), line.kind(list) == .list else { continue }
      var element = list + 1
      while element < line.end(list) {
        if let id = line.name("id", of: element), secrecy.coversValue(of: id),
          let value = line.member("value", of: element), line.kind(value) == .string
        {
          let kind: Secret.Kind = secure.coversValue(of: id) ? .value : .text
          values[id] = (Engine.run(of: value, in: line), kind)
        }
        element = line.end(element)
      }
    }
    if !values.isEmpty { words[seq] = .values(values) }
  }

  /// The runs that are to be spoken of an event, of this element where it is about some.
  func words(of seq: Seq, _ element: Name?) -> Found? {
    switch words[seq] {
    case .text(let runs): (runs, .text)
    case .values(let values): element.flatMap { values[$0] }
    case nil: nil
    }
  }

  /// An event has ended; what it has said may be the newer one's to say.
  mutating func end(_ outcome: Outcome) {
    guard !words.isEmpty, let gone = words.removeValue(forKey: outcome.of),
      outcome.result == .coalesced, let by = outcome.by, words[by] == nil
    else { return }
    words[by] = gone
  }

  /// Lets go of an event that nobody waits for.
  mutating func forget(_ seq: Seq, unless isPending: (Seq) -> Bool) {
    if words[seq] != nil, !isPending(seq) { words[seq] = nil }
  }

  mutating func forget(unless isPending: (Seq) -> Bool) {
    words = words.filter { isPending($0.key) }
  }
}
