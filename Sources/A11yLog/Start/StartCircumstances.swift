// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// The machine and the moment of a start.
package struct StartCircumstances {
  package var boot: String
  package var uptime: Int64
  package var wall: Int64
  /// The last entry that has left in this boot, if that is known.
  package var left: Cursor?
  /// A fresh epoch, should one be needed.
  package var epoch: Epoch

  package init(boot: String, uptime: Int64, wall: Int64, left: Cursor?, epoch: Epoch) {
    self.boot = boot
    self.uptime = uptime
    self.wall = wall
    self.left = left
    self.epoch = epoch
  }
}
