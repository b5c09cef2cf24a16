// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yBroker
package import A11yPresenter
package import A11yModel
import A11yRules
package import A11yWire

/// All that the presenter knows after some entry: what is the case, and which keys were used.
///
/// It is a fold over the log. A `.state` file holds it at the beginning of a segment, so that
/// nothing before that segment is needed to go on.
package struct PresenterState {
  package private(set) var presenter = Presenter(rules: RuleSet())
  package private(set) var keys: [UsedKey] = []
  /// What was known of secrets that are forgotten.
  package private(set) var secrets = ForgottenSecrets()
  package private(set) var after: Seq
  /// The header of the segment it stands beside, should the segment's own be damaged.
  package internal(set) var header: SegmentHeader?

  /// Nothing is known yet.
  package init(after: Seq) { self.after = after }

  package init(after: Seq, presenter: Presenter, keys: ArraySlice<UsedKey>) {
    self.after = after
    self.presenter = presenter
    self.keys = Array(keys)
  }

  /// Takes the next entry, without its newline; one that is in it already changes nothing.
  package mutating func take(_ line: Span<UInt8>, _ seq: Seq, with reader: JSONReader) {
    guard seq > after else { return }
    after = seq
    if UsedKey.mayBe(in: line), let key = UsedKey(line, with: reader) { keys.append(key) }
    do throws(JSONFault) { try reader.read(line) } catch { return }
    presenter.follow(reader.document)
  }

  /// Lets go what has run out at this instant.
  mutating func expire(_ mono: Int64) { presenter.expire(through: mono) }

  /// Whether it can have been written beside a segment with this header and entries up to `last`.
  ///
  /// After a power cut numbers are given again, and a file beside an earlier segment of the same
  /// name may have come through while the segment did not, or while its last entries did not.
  func belongs(to header: SegmentHeader?, through last: Seq) -> Bool {
    guard after <= last else { return false }
    guard let header, let own = self.header else { return true }
    // One that was written anew by a later start may have begun another epoch.
    return header.epochs.starts(with: own.epochs) && own.boot == header.boot
      && own.began == header.began
  }

  /// Whether all is there, from the beginning of its segment on, that it is a fold of.
  ///
  /// Where something is damaged nobody may know of it, though it was known once.
  func isBorneOut(by scan: SegmentScan) -> Bool {
    guard let header, let extent = scan.extents.first else { return false }
    return extent.first == header.first && extent.last >= after
  }

  /// Forgets keys of entries that are lost: what comes with them now is new.
  mutating func forgetKeys(from first: Seq) { keys.removeAll { $0.seq >= first } }

  /// Forgets what is known of the apps that are meant, but for which values to withhold; false where
  /// nothing was.
  mutating func forget(_ selection: Selection) -> Bool {
    let before = keys.count
    secrets.formUnion(presenter.model.secrets { app, uid in selection.covers(app: app, uid: uid) })
    keys.removeAll { selection.covers(app: $0.app, uid: Int64($0.uid)) }
    let isKnown = presenter.forget { app, uid in selection.covers(app: app, uid: uid) }
    return isKnown || keys.count < before
  }

  /// Takes a line of a `.state` file; false where it is none.
  mutating func restore(_ line: JSONDocument) -> Bool {
    if let key = UsedKey(state: line) {
      keys.append(key)
      return true
    }
    return secrets.restore(line) || presenter.restore(line)
  }
}
