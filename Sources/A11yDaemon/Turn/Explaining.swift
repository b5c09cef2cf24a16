// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yExplain
import A11yLog
import A11yWire

/// An investigation in the making, with its place in the log.
final class Explaining {
  private(set) var investigation: Investigation
  let id: [UInt8]
  private unowned let log: EventLog
  private let json = JSONReader(limit: Limits.answerBytes)
  private var scan: LogScan?

  init(_ investigation: Investigation, id: [UInt8], in log: EventLog) {
    self.investigation = investigation
    self.id = id
    self.log = log
  }

  /// Works on by about `budget` bytes; true when there is an answer.
  func advance(budget: Int, _ askPresenter: (inout Investigation) -> Void) -> Bool {
    let json = self.json
    var left = budget
    while left > 0 {
      if investigation.openEvent != nil {
        askPresenter(&investigation)
        continue
      }
      guard let run = investigation.run else { return true }
      let scan = self.scan ?? LogScan(from: run.from, through: run.through, in: log)
      self.scan = scan
      let isOver = scan.advance(budget: &left) { line, seq in
        // A line that cannot be read says nothing.
        do throws(JSONFault) { try json.read(line) } catch { return true }
        return investigation.note(json.document, seq)
      }
      guard isOver else { continue }
      self.scan = nil
      investigation.endRun()
    }
    return false
  }
}
