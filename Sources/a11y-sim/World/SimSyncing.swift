// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yLog
import A11yPosix

/// Takes files to the simulated medium when it is told to, as a thread would at a time of its own.
///
/// Bytes written between the request and the moment when the disk is really asked may be safe or
/// not; the bus must not count on them.
final class SimSyncing: Syncing {
  private let disk: SimDisk
  private var asked: (file: any DiskFile, isNew: Bool)?
  private var result: Result<Void, Errno>?
  /// Files beside the log, and what came of those that the disk was asked for.
  private var besides: [any DiskFile] = []
  private var results: [(file: any DiskFile, result: Result<Void, Errno>)] = []
  /// Says that all is well and does nothing: a fault of the harness that its oracle has to find.
  var lies = false

  init(_ disk: SimDisk) { self.disk = disk }

  func request(_ file: any DiskFile, isNew: Bool) -> Bool {
    guard asked == nil, result == nil else { return false }
    asked = (file, isNew)
    return true
  }

  func answer() -> Result<Void, Errno>? {
    defer { result = nil }
    return result
  }

  func bring(_ file: any DiskFile) -> Bool {
    besides.append(file)
    return true
  }

  func brought() -> (file: any DiskFile, result: Result<Void, Errno>)? {
    results.isEmpty ? nil : results.removeFirst()
  }

  func wait() -> Result<Void, Errno> {
    perform()
    return answer() ?? .failure(.inputOutput)
  }

  /// Somebody waits for an answer that is not there yet.
  var isAsked: Bool { asked != nil || !besides.isEmpty }

  var hasAnswer: Bool { result != nil || !results.isEmpty }

  /// Asks the disk.
  func perform() {
    for file in besides { results.append((file, synchronize(file))) }
    besides = []
    guard let asked else { return }
    self.asked = nil
    if lies {
      result = .success(())
      return
    }
    do throws(Errno) {
      var isNamed = true
      do throws(Errno) { try asked.file.synchronize() } catch .noSuchFile { isNamed = false }
      if asked.isNew { try disk.synchronizeNames() }
      result = isNamed ? .success(()) : .failure(.noSuchFile)
    } catch {
      result = .failure(error)
    }
  }

  private func synchronize(_ file: any DiskFile) -> Result<Void, Errno> {
    if lies { return .success(()) }
    do throws(Errno) {
      try file.synchronize()
      return .success(())
    } catch {
      return .failure(error)
    }
  }
}
