// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation
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

  @Test func `a directory has one holder, though no file could be made in it at first`() throws {
    let directory = try ScratchDirectory()
    // A directory of this name keeps the lock file from being made, as a full disk would.
    try Directory.create(directory("lock"), mode: 0o700)

    let first = try acquire(directory)
    try FileManager.default.removeItem(atPath: directory("lock"))
    let whileHeld = try isAcquired(acquire(directory))
    let wasHeld = isAcquired(first)
    let afterwards = try isAcquired(acquire(directory))

    #expect(wasHeld)
    #expect(!whileHeld)
    #expect(afterwards)
  }

  @Test func `whoever holds the file in a directory keeps others out of it`() throws {
    let directory = try ScratchDirectory()

    let first = try FileLock.acquire(directory("lock"))
    let whileHeld = try isAcquired(acquire(directory))
    let wasHeld = isAcquired(first)

    #expect(wasHeld)
    #expect(!whileHeld)
  }

  private func acquire(_ directory: ScratchDirectory) throws -> FileLock.Attempt {
    try FileLock.acquire(directory: directory.path, alsoThrough: "lock")
  }

  /// Lets go of the lock again.
  private func isAcquired(_ attempt: consuming FileLock.Attempt) -> Bool {
    switch consume attempt {
    case .acquired: true
    case .heldByAnother: false
    }
  }
}
