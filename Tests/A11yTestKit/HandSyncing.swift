// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yLog
package import A11yPosix

/// A disk's answers to the wish that something be safe, given when the test says so.
package final class HandSyncing: Syncing {
  private let disk: (any Disk)?
  private var out: (file: any DiskFile, isNew: Bool)?
  private var result: Result<Void, Errno>?
  private var besides: [(file: any DiskFile, result: Result<Void, Errno>)] = []
  /// Nothing is said yet of files beside the log.
  package var holdsBesides = false
  /// How often it was asked.
  package private(set) var requests = 0

  /// Where names have to be brought to the medium too, the disk they are on.
  package init(_ disk: (any Disk)?) { self.disk = disk }

  /// Somebody waits for an answer.
  package var isOut: Bool { out != nil }

  /// Answers as the medium does.
  package func complete() {
    guard let (file, isNew) = out else { return }
    do throws(Errno) {
      var isNamed = true
      do throws(Errno) { try file.synchronize() } catch .noSuchFile { isNamed = false }
      if isNew { try disk?.synchronizeNames() }
      result = isNamed ? .success(()) : .failure(.noSuchFile)
    } catch {
      result = .failure(error)
    }
    out = nil
  }

  /// Answers that the medium has failed, whatever it did.
  package func fail(_ error: Errno) {
    guard out != nil else { return }
    out = nil
    result = .failure(error)
  }

  package func request(_ file: any DiskFile, isNew: Bool) -> Bool {
    guard out == nil, result == nil else { return false }
    out = (file, isNew)
    requests += 1
    return true
  }

  /// A file beside the log; the medium has it at once.
  package func bring(_ file: any DiskFile) -> Bool {
    do throws(Errno) {
      try file.synchronize()
      besides.append((file, .success(())))
    } catch {
      besides.append((file, .failure(error)))
    }
    return true
  }

  package func brought() -> (file: any DiskFile, result: Result<Void, Errno>)? {
    if holdsBesides || besides.isEmpty { return nil }
    return besides.removeFirst()
  }

  package func wait() -> Result<Void, Errno> {
    complete()
    return answer() ?? .failure(.inputOutput)
  }

  package func answer() -> Result<Void, Errno>? {
    defer { result = nil }
    return result
  }
}
