// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yPresenter
import A11yModel
import A11yWire

/// The presenter's state as the lines of a file, a slice at a time.
///
/// It holds the state as it was; what happens meanwhile changes another copy.
struct StateLines {
  private var replica: Replica
  private var keys: ArraySlice<UsedKey>
  private var secrets: ArraySlice<ForgottenSecrets.Line>
  private var end = StateEnd()

  /// Appends the first of them.
  init(
    beside header: SegmentHeader,
    after: Seq,
    presenter: Presenter,
    keys: ArraySlice<UsedKey>,
    secrets: ForgottenSecrets,
    into out: inout ByteBuffer
  ) {
    self.keys = keys
    self.secrets = secrets.lines
    replica = Replica(presenter.model)
    let start = out.count
    out.append("{")
    out.append(member: "after", after.number)
    out.append(member: "header")
    out.append("{")
    header.writeMembers(into: &out)
    out.append("}")
    out.seal(from: start)
    presenter.writeRecord(into: &out)
    note(out, from: start)
  }

  /// Appends as many as the budget lets it; true when that was the last of them.
  mutating func write(into out: inout ByteBuffer, budget: Int) -> Bool {
    while out.count < budget {
      let start = out.count
      if let key = keys.popFirst() {
        key.write(into: &out)
      } else if let line = secrets.popFirst() {
        line.write(into: &out)
      } else if !replica.write(into: &out, budget: budget) {
        note(out, from: start)
        end.write(into: &out)
        return true
      }
      note(out, from: start)
    }
    return false
  }

  private mutating func note(_ out: borrowing ByteBuffer, from start: Int) {
    let text = out.bytes
    var at = start
    while let newline = text.firstIndex(of: UInt8(ascii: "\n"), from: at) {
      guard let checksum = LineChecksum.stated(text.extracting(at..<newline)) else {
        preconditionFailure("every line of a state is sealed")
      }
      end.take(checksum)
      at = newline + 1
    }
  }
}
