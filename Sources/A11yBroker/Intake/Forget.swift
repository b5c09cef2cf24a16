// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPresenter
internal import A11yModel
package import A11yWire

// Forgetting what apps have said.
extension Broker {
  mutating func forget(
    _ line: JSONDocument,
    _ id: Range<Int>,
    _ session: Session,
    into turn: inout Turn
  ) throws(Refusal) {
    let fields = try checkedFields(of: .forget, in: line)
    guard !isDegraded else {
      throw Refusal(
        .storageDegraded,
        "the disk cannot be written, so that nothing can be forgotten"
      )
    }
    warn(session, id, into: &turn)
    let selection = Selection(
      apps: fields[ForgetField.apps].map { Set(line.items(of: $0).map { line.string($0) }) },
      uids: fields[ForgetField.uids].map {
        Set(line.items(of: $0).compactMap { line.integer($0) })
      },
      before: fields[ForgetField.before].flatMap { line.integer($0) }
    )
    session.errand = .forget(selection, id: turn.words.bytes.extracting(id).array)
  }

  /// Runs of forgotten entries in one entry, which then fits into a line that others may copy.
  private static let mostRuns = 2_048

  /// Tells which entries were forgotten, and by whom, so that every copy of the log can follow.
  package mutating func tellForgotten(
    _ runs: [ClosedRange<Seq>],
    for uid: UInt32,
    into turn: inout Turn
  ) {
    for start in stride(from: 0, to: runs.count, by: Self.mostRuns) {
      let some = runs[start..<min(start + Self.mostRuns, runs.count)]
      let count = some.reduce(0) { $0 + $1.upperBound.number - $1.lowerBound.number + 1 }
      appendOwn(.forgot, into: &turn) { event in
        event.array("ranges", of: some) { out, run in
          out.array(of: [run.lowerBound.number, run.upperBound.number]) { $0.append(decimal: $1) }
        }
        event.append(member: "count", count)
        event.append(member: "uid", Int64(uid))
      }
    }
  }

  /// Forgets the selected apps in the state beside the log: they begin anew.
  ///
  /// Their speech is stopped by an entry of this turn. A state is written of what follows, and in a
  /// state no order to a reader waits to be written.
  package mutating func forget(_ selection: Selection, into turn: inout Turn) {
    duplicates.forget { selection.covers(app: $0.app, uid: Int64($0.uid)) }
    forgottenSecrets.formUnion(
      presenter.model.secrets { app, uid in selection.covers(app: app, uid: uid) }
    )
    presenter.forget { app, uid in selection.covers(app: app, uid: uid) }
    secrets.dropSpoken { presenter.pending(of: $0) != nil }
    decide(into: &turn)
  }
}

extension JSONDocument {
  /// The items of a list.
  fileprivate func items(of list: JSONIndex) -> [JSONIndex] {
    var items: [JSONIndex] = []
    var item = list + 1
    while item < end(list) {
      items.append(item)
      item = end(item)
    }
    return items
  }
}
