// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// The words by which a script names the entries of a log up to a place.
///
/// Nothing is ever dropped: a log ends.
struct ScriptReferences {
  private enum Target {
    /// An entry that a client has published.
    case published
    /// A delivery, a gesture or a place of the focus, with its number among those of its kind, and
    /// the published event that it is the last one of.
    case own(Labels.Kind, Int, of: Seq?)
  }

  private var targets: [Seq: Target] = [:]
  private var counts: [Labels.Kind: Int] = [:]
  /// The last delivery and the last gesture of each event.
  private var latest: [Labels.Kind: [Seq: Seq]] = [:]
  private var focus: Seq?

  /// The label of a published entry in the script.
  static func label(_ seq: Seq) -> String { "e\(seq.number)" }

  /// Notes the next entry.
  mutating func note(
    _ seq: Seq,
    _ entry: JSONDocument,
    _ event: JSONIndex,
    _ type: String,
    isOwn: Bool
  ) {
    guard isOwn else {
      targets[seq] = .published
      return
    }
    guard let kind = Labels.Kind(rawValue: type) else { return }
    let number = (counts[kind] ?? 0) + 1
    counts[kind] = number
    let about: [Seq]
    switch kind {
    case .deliver: about = entry.seqs("of", of: event)
    case .gesture: about = entry.seq("action", of: event).map { [$0] } ?? []
    case .focus:
      about = []
      focus = seq
    }
    for event in about { latest[kind, default: [:]][event] = seq }
    let published = about.first { if case .published? = targets[$0] { true } else { false } }
    targets[seq] = .own(kind, number, of: published)
  }

  /// The published entry whose label a reference to this entry takes; nil where it takes none.
  func label(of target: Seq) -> Seq? {
    switch targets[target] {
    case .published: target
    case .own(let kind, _, of: let event?) where latest[kind]?[event] == target: event
    case .own, nil: nil
    }
  }

  /// The words for an entry; nil where it is not in the log.
  func phrase(for target: Seq, isBasis: Bool) -> String? {
    if isBasis, target == focus { return "focus" }
    guard let found = targets[target] else { return nil }
    let name = label(of: target).map(Self.label)
    switch found {
    case .published: return name.map { "@\($0)" }
    case .own(let kind, let number, _):
      return name.map { "\(kind.rawValue):@\($0)" } ?? "\(kind.rawValue):\(number)"
    }
  }
}

extension JSONDocument {
  /// The seqs in a list of an object.
  fileprivate func seqs(_ name: StaticString, of object: JSONIndex) -> [Seq] {
    guard let list = member(name, of: object), kind(list) == .list else { return [] }
    var seqs: [Seq] = []
    var item = list + 1
    while item < end(list) {
      if let number = integer(item) { seqs.append(Seq(number)) }
      item = end(item)
    }
    return seqs
  }
}
