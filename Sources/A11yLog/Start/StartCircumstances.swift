// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// The machine and the moment of a start.
package struct StartCircumstances {
  package var boot: String
  package var uptime: Int64
  package var wall: Int64
  /// The runtime directory says that lines were delivered that are not on disk.
  package var isUnkept: Bool
  /// A fresh epoch, should one be needed.
  package var epoch: Epoch

  package init(boot: String, uptime: Int64, wall: Int64, isUnkept: Bool, epoch: Epoch) {
    self.boot = boot
    self.uptime = uptime
    self.wall = wall
    self.isUnkept = isUnkept
    self.epoch = epoch
  }
}
