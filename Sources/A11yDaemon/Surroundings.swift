// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yLog

/// What the bus has of the process around it.
package struct Surroundings {
  let time: any BusTime
  let report: Report
  /// The user whose bus this is.
  let uid: UInt32
  /// Told of every client that has gone, by its user.
  let hasLeft: (_ uid: UInt32) -> Void
  /// Told when entries are delivered that may never be on disk, and when that is over.
  let hasUnkept: (_ isSo: Bool) -> Void

  package init(
    time: any BusTime,
    report: Report,
    uid: UInt32,
    hasLeft: @escaping (_ uid: UInt32) -> Void,
    hasUnkept: @escaping (_ isSo: Bool) -> Void
  ) {
    self.time = time
    self.report = report
    self.uid = uid
    self.hasLeft = hasLeft
    self.hasUnkept = hasUnkept
  }
}
