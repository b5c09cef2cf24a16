// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yLog
package import A11yRules
package import A11yWire

/// The process around the bus: its clock, its report, its user, and its callbacks.
package struct BusEnvironment {
  let time: any BusTime
  let report: OperatorReport
  /// The user whose bus this is.
  let uid: UInt32
  /// The language of that user's session.
  let language: WordLanguage
  /// Called with the user of every client that has gone.
  let onLeave: (_ uid: UInt32, _ role: Role) -> Void
  /// Called before entries leave, with the last of them.
  let noteLeft: (_ last: Seq) -> Void

  package init(
    time: any BusTime,
    report: OperatorReport,
    uid: UInt32,
    language: WordLanguage,
    onLeave: @escaping (_ uid: UInt32, _ role: Role) -> Void,
    noteLeft: @escaping (_ last: Seq) -> Void
  ) {
    self.time = time
    self.report = report
    self.uid = uid
    self.language = language
    self.onLeave = onLeave
    self.noteLeft = noteLeft
  }
}
