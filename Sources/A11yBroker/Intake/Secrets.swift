// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPresenter
internal import A11yModel
internal import A11yWire

/// Secret words of events, which the log must not have, while they may still be spoken.
///
/// They are in the memory of this process and nowhere else. An event's words go with its outcome,
/// or when it waits no more; so there are never more of them than events that wait.
struct Secrets {
  /// The runs of an event.
  typealias Found = (runs: [UInt8], kind: Secret.Kind)

  private enum Words {
    case text(Found)
    /// The values of elements.
    case values([Name: Found])
    /// The name of an action, as JSON has it.
    case action([UInt8])
  }

  /// The secret value of an element, which the focus may come to.
  private struct Value {
    let place: ElementPlace
    let found: Found
  }

  private var words: [Seq: Words] = [:]
  /// The latest values of elements, the newest at the end.
  private var values: [Value] = []
  /// The values that are kept at most, for password fields of all apps; the oldest goes.
  private static let mostValues = 64

  /// Keeps the secrets of an event, before that is applied to the model.
  mutating func keep(
    _ event: borrowing WireEvent,
    as seq: Seq,
    _ type: EventType,
    _ app: AppKey,
    _ model: Model
  ) {
    if type == .elements {
      keepValues(event, seq, app, model)
    } else if type == .action {
      let name = event.member(.name)
      words[seq] = name.map { .action(event.line.raw($0).array(between: "\"", "\"")) }
    } else if let runs = Presenter.runs(of: event) {
      let isText = event.flag(.sensitive)
      let kind: Secret.Kind = event.says(.class, "reading") ? .reading : isText ? .text : .value
      words[seq] = .text((runs, kind))
    }
  }

  private mutating func keepValues(
    _ event: borrowing WireEvent,
    _ seq: Seq,
    _ app: AppKey,
    _ model: Model
  ) {
    guard let window = event.name(.window) else { return }
    func place(_ element: Name) -> ElementPlace {
      ElementPlace(app: app, window: window, element: element)
    }
    let line = event.line
    let secure = line.secrecy(ofElements: event.index) { model.isSecure(place($0)) }
    let secrecy: Secrecy = event.flag(.sensitive) ? .all : secure
    var said: [Name: Found] = [:]
    // In the order of the model: the later value counts.
    for field in [WireEvent.Member.replace, .upsert] {
      guard let list = event.member(field), line.kind(list) == .list else { continue }
      var element = list + 1
      while element < line.end(list) {
        if let id = line.name("id", of: element), secrecy.coversValue(of: id),
          let value = line.member("value", of: element), line.kind(value) == .string
        {
          let kind: Secret.Kind = secure.coversValue(of: id) ? .value : .text
          let found = (Presenter.run(of: value, in: line), kind)
          said[id] = found
          keep(Value(place: place(id), found: found))
        }
        element = line.end(element)
      }
    }
    if !said.isEmpty { words[seq] = .values(said) }
  }

  private mutating func keep(_ value: Value) {
    values.removeAll { $0.place == value.place }
    if values.count == Self.mostValues { values.removeFirst() }
    values.append(value)
  }

  /// Drops the values of elements that have another value by now, or are gone.
  mutating func tend(_ model: Model) {
    if !values.isEmpty { values.removeAll { !model.isValueWithheld($0.place) } }
  }

  /// The runs that a delivery withholds.
  func words(of secret: Delivery.Secret) -> Found? {
    switch secret {
    case .event(let seq, let element): words(of: seq, element)
    case .value(let place): values.first { $0.place == place }?.found
    }
  }

  /// The name of an action, as JSON has it.
  func name(ofAction seq: Seq) -> [UInt8]? {
    if case .action(let name) = words[seq] { name } else { nil }
  }

  /// The runs of an event, for this element where the event is about several.
  private func words(of seq: Seq, _ element: Name?) -> Found? {
    switch words[seq] {
    case .text(let found): found
    case .values(let values): element.flatMap { values[$0] }
    case .action, nil: nil
    }
  }

  /// Drops the words of an event that has ended, or passes them to the event in its place.
  mutating func endEvent(_ outcome: Outcome) {
    guard !words.isEmpty, let gone = words.removeValue(forKey: outcome.of),
      outcome.result == .coalesced, let by = outcome.by, words[by] == nil
    else { return }
    words[by] = gone
  }

  /// Drops the words of an event that waits no more.
  mutating func dropSpoken(_ seq: Seq, unless isPending: (Seq) -> Bool) {
    if words[seq] != nil, !isPending(seq) { words[seq] = nil }
  }

  mutating func dropSpoken(unless isPending: (Seq) -> Bool) {
    words = words.filter { isPending($0.key) }
  }
}
