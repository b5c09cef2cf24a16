// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import a11yctl

/// The advice names units that this machine has.
@Suite struct StartAdviceTests {
  private static let installed = [
    "/usr/lib/systemd/user/a11yd.socket", "/usr/lib/systemd/system/a11yd-publish.socket",
    "/usr/lib/systemd/system/a11yd-read.socket", "/usr/lib/systemd/system/a11yd-control.socket",
  ]

  @Test(arguments: [
    ("/run/user/1000/a11yd/bus.sock", "systemctl --user start a11yd.socket"),
    ("/run/a11yd/bus.sock", "systemctl start a11yd-publish.socket"),
    ("/run/a11yd/read.sock", "systemctl start a11yd-read.socket"),
    ("/run/a11yd/control.sock", "systemctl start a11yd-control.socket"),
    ("/tmp/other.sock", "a11yd --socket /tmp/other.sock"),
  ])
  func `a bus is started by the unit of its socket`(path: String, command: String) {
    let advice = StartAdvice(UnitManager(isThere: Self.installed.contains))

    #expect(advice.advice(for: path) == "Is it running? Try: \(command)")
  }

  @Test(arguments: ["/run/user/1000/a11yd/bus.sock", "/run/a11yd/bus.sock"])
  func `where no unit is installed, none is named`(path: String) {
    #expect(
      StartAdvice(UnitManager(isThere: { _ in false })).advice(for: path)
        == "Is it running? Try: a11yd --socket \(path)"
    )
  }
}
