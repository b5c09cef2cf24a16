// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yModel
package import A11yPresenter
import A11yRules
package import A11yWire

/// All that the broker knows after some entry: what is the case, which duplicate keys were used,
/// and which values to withhold.
///
/// It is a fold over the log: a start restores the newest one that was written down, and applies
/// the entries behind it.
package struct BrokerState: LoggedState {
  package private(set) var presenter = Presenter(rules: RuleSet())
  package private(set) var keys: [UsedKey] = []
  /// The secrets of apps that are forgotten.
  package private(set) var secrets = ForgottenSecrets()
  /// What each user has added to the log in a day.
  ///
  /// Behind the last state that was written down the bus's entries about events are not counted.
  package private(set) var shares = LogShares()

  package init() {}

  package init(presenter: Presenter, keys: [UsedKey]) {
    self.presenter = presenter
    self.keys = keys
  }

  package mutating func apply(_ line: Span<UInt8>, with json: JSONReader) {
    if UsedKey.mayBe(in: line), let key = UsedKey(line, with: json) { keys.append(key) }
    do throws(JSONFault) { try json.read(line) } catch { return }
    shares.add(EntryView(of: json.document), bytes: line.count)
    presenter.follow(json.document)
  }

  package mutating func expire(through mono: Int64) {
    presenter.expire(through: Instant(microseconds: mono))
  }

  package mutating func forgetKeys(from first: Seq) { keys.removeAll { $0.seq >= first } }

  package mutating func forget(_ selection: Selection) -> Bool {
    let before = keys.count
    secrets.formUnion(presenter.model.secrets { app, uid in selection.covers(app: app, uid: uid) })
    keys.removeAll { selection.covers(app: $0.app, uid: Int64($0.uid)) }
    let isKnown = presenter.forget { app, uid in selection.covers(app: app, uid: uid) }
    return isKnown || keys.count < before
  }

  package mutating func restore(_ line: JSONDocument) -> Bool {
    if let key = UsedKey(state: line) {
      keys.append(key)
      return true
    }
    return secrets.restore(line) || shares.restore(line) || presenter.restore(line)
  }

  package func beginLines(into out: inout ByteBuffer) -> any StateLines {
    BrokerLines(presenter, keys[...], secrets, shares, into: &out)
  }
}

extension Broker: StateSource {
  package borrowing func beginLines(into out: inout ByteBuffer) -> any StateLines {
    BrokerLines(presenter, duplicates.keys, forgottenSecrets, shares, into: &out)
  }
}

/// The broker's state as lines, each of them sealed.
///
/// The state is held as it was; later changes go to another copy.
private struct BrokerLines: StateLines {
  private var replica: Replica
  private var keys: ArraySlice<UsedKey>
  private var secrets: ArraySlice<ForgottenSecrets.Line>
  private var shares: ArraySlice<LogShares.Line>

  /// Writes the presenter's own record at once: to hold its tables would have each of them copied
  /// at its next change.
  init(
    _ presenter: Presenter,
    _ keys: ArraySlice<UsedKey>,
    _ secrets: ForgottenSecrets,
    _ shares: LogShares,
    into out: inout ByteBuffer
  ) {
    self.keys = keys
    self.secrets = secrets.lines
    self.shares = shares.lines[...]
    replica = Replica(presenter.model)
    presenter.writeRecord(into: &out)
  }

  mutating func appendLines(into out: inout ByteBuffer, budget: Int) -> Bool {
    while out.count < budget {
      if let key = keys.popFirst() {
        key.write(into: &out)
      } else if let line = secrets.popFirst() {
        line.write(into: &out)
      } else if let line = shares.popFirst() {
        line.write(into: &out)
      } else if !replica.write(into: &out, budget: budget) {
        return true
      }
    }
    return false
  }
}
