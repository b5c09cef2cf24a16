// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix

/// A file in the runtime directory that marks entries which were delivered and may never be on
/// disk: it tells the next start so where the disk itself cannot.
struct UnkeptFlag {
  private let path: String?
  private let runtime: String?

  /// The flag of the log in this directory; nothing is known where there is no runtime directory.
  init(of log: FileIdentity, in runtime: String?) {
    self.runtime = runtime
    path = runtime.map { "\($0)/unkept-\(log.device)-\(log.inode)" }
  }

  var isSet: Bool {
    guard let path else { return false }
    return (try? File.measure(path)) != nil
  }

  func set(_ isSo: Bool) {
    guard let path, let runtime, isSo != isSet else { return }
    do throws(Errno) {
      if isSo {
        try Directory.create(runtime, mode: 0o700)
        _ = try FileDescriptor.open(path, [.writeOnly, .create], mode: 0o600)
      } else {
        try File.unlink(path)
      }
    } catch {
      // It is one of two marks; the other is in the log's own directory.
    }
  }
}
