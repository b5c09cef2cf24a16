// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The packages of this version, in `deb`, and those of the next, in `deb-next`; `make test-deb`
/// builds both.
enum DebianPackages {
  static let names = [
    "a11yd", "a11y-readers", "a11y-forward", "liba11y0", "liba11y-dev", "python3-a11y-bus",
  ]

  /// The command that installs the packages of a directory.
  static func installation(of folder: String) -> String {
    "dpkg --no-triggers -i /var/debs/\(folder)/*.deb >/var/debs/words 2>&1"
  }

  /// Takes everything of earlier installations off a machine, and brings both versions to it.
  static func renew(on machine: BootedMachine) throws {
    let log = "/var/lib/a11y-tester/.local/state/a11yd"
    let purge = "dpkg --purge \(names.joined(separator: " "))"
    try machine.run("sh", "-c", "\(purge); rm -rf /etc/a11yd /var/debs \(log); mkdir /var/debs")
    for folder in ["deb", "deb-next"] {
      try FileManager.default.copyItem(
        at: BootedMachine.package.appending(path: ".build/\(folder)"),
        to: URL(filePath: machine.path("/var/debs/\(folder)"))
      )
    }
    try machine.run("sh", "-c", "rm /var/debs/*/*dbgsym*")
  }
}
