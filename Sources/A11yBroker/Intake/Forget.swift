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

  /// Forgets the selected apps in the state beside the log: they begin anew.
  package mutating func forget(_ selection: Selection) {
    duplicates.forget { selection.covers(app: $0.app, uid: Int64($0.uid)) }
    forgottenSecrets.formUnion(
      presenter.model.secrets { app, uid in selection.covers(app: app, uid: uid) }
    )
    presenter.forget { app, uid in selection.covers(app: app, uid: uid) }
    secrets.dropSpoken { presenter.pending(of: $0) != nil }
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
