// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Testing

@Suite struct FileLockTests {
  @Test func `a lock has one holder at a time`() throws {
    let directory = try ScratchDirectory()
    let path = directory("lock")

    let first = try FileLock.acquire(path)
    let whileHeld = try isAcquired(FileLock.acquire(path))
    let wasHeld = isAcquired(first)
    let afterwards = try isAcquired(FileLock.acquire(path))

    #expect(wasHeld)
    #expect(!whileHeld)
    #expect(afterwards)
  }

  /// Lets go of the lock again.
  private func isAcquired(_ attempt: consuming FileLock.Attempt) -> Bool {
    switch consume attempt {
    case .acquired: true
    case .heldByAnother: false
    }
  }
}
