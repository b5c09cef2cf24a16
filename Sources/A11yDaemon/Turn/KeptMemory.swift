// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix

/// Gives memory back to the machine when most of what apps had the bus keep has gone.
struct KeptMemory {
  /// The most that was kept since memory was given back.
  private var most = 0

  /// Some megabytes of memory: an element takes a few hundred bytes beside its texts.
  private static let worthGivingBack = 65_536

  /// The bytes of a state of the past that stay for the next question about one.
  ///
  /// To give them back each time would cost half as much again as the answer.
  private static let keptForQuestions = 16 << 20

  /// Notes the bytes that the bus keeps now, beside those of a state of the past.
  mutating func observe(_ kept: Int, past: Int = 0) {
    most = max(most, kept + max(0, past - Self.keptForQuestions))
  }

  /// Gives memory back where that is worth some milliseconds of looking for it, which is too much
  /// for every element that goes.
  mutating func giveBack(keeping kept: Int) {
    guard most - kept >= Self.worthGivingBack, kept <= most / 2 else { return }
    most = kept
    Machine.giveBackMemory()
  }
}
