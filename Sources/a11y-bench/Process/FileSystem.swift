// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The file system below a directory, as the kernel's table of mounts names it.
struct FileSystem {
  /// Such as `ext4`.
  let type: String
  /// Such as `/dev/sda1`.
  let source: String

  init(of directory: String) {
    let path = FileSystem.resolved(directory) + "/"
    var longest = 0
    var type = "an unknown file system"
    var source = "nothing that is known"
    for line in (Files.text("/proc/self/mountinfo") ?? "").split(separator: "\n") {
      // The mount point is the fifth field; behind a lone hyphen come type and source.
      let fields = line.split(separator: " ")
      guard fields.count > 4, let hyphen = fields.firstIndex(of: "-"),
        hyphen + 2 < fields.count
      else { continue }
      let point = fields[4] == "/" ? "/" : fields[4] + "/"
      // Of two mounts at one place the later one hides the earlier.
      guard path.hasPrefix(point), point.utf8.count >= longest else { continue }
      longest = point.utf8.count
      type = String(fields[hyphen + 1])
      source = String(fields[hyphen + 2])
    }
    self.type = type
    self.source = source
  }

  /// Whether synced bytes survive a loss of power.
  var isOnDisk: Bool { type != "tmpfs" && type != "ramfs" }

  /// The reason why durability cannot be measured there, if there is one.
  var obstacle: String? {
    isOnDisk ? nil : "the logs are on \(type), where nothing is synchronised; TMPDIR names a disk"
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
