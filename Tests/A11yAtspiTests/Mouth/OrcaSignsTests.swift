// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yTestKit
import DBus
import Testing

/// The choice of a way by what the buses tell of Orca.
@Suite(.timeLimit(.minutes(hangs))) struct OrcaSignsTests {
  private static func listener(_ version: String?, hears: Bool) -> OrcaSigns.Listener {
    .init(
      connection: ":1.5",
      version: version.flatMap { OrcaVersion($0) },
      hearsAnnouncements: hears
    )
  }

  @Test(
    arguments: [
      (nil, true, .announcement), (nil, false, .notification), ("43.1", false, .notification),
      ("45.0", true, .notification), ("45.1", true, .notification),
      ("45.alpha", true, .notification),
      ("45.2", true, .announcement), ("48.alpha", true, .announcement),
      ("46.2 (rev abc)", true, .announcement), ("46.2", false, .notification),
    ] as [(String?, Bool, Orca.Way)]
  )
  func `the way is the best that a version knows`(
    version: String?,
    hears: Bool,
    way: Orca.Way
  ) {
    var signs = OrcaSigns()
    signs.listener = Self.listener(version, hears: hears)

    #expect(signs.orca?.way == way)
    #expect(signs.orca?.connection == ":1.5")
  }

  @Test func `a service comes before all other ways, the later one first`() {
    var signs = OrcaSigns()
    signs.listener = Self.listener("50.0", hears: true)
    signs.services[.early] = ":1.7"
    #expect(signs.orca?.way == .service(.early))
    signs.services[.late] = ":1.8"

    #expect(signs.orca?.way == .service(.late))
    #expect(signs.orca?.connection == ":1.8")
    #expect(signs.orca?.sentence == "Orca 50.0, by its service")
  }

  @Test func `without a sign there is no Orca`() { #expect(OrcaSigns().orca == nil) }

  @Test func `the version stands in a file of Orca's own`() {
    let file = "# version 1\npackage = \"orca\"\nversion     = \"43.1\"\nrevision = \"\"\n"

    #expect(OrcaVersion(platformFile: file)?.description == "43.1")
    #expect(OrcaVersion(platformFile: "nothing") == nil)
    #expect(OrcaVersion("x.y") == nil)
  }

  @Test(arguments: [OrcaService.early, .late])
  func `a service takes a text by its own name`(service: OrcaService) {
    let call = service.presenting("Saved")

    #expect(call.method.destination == service.rawValue)
    #expect(call.method.member == "PresentMessage")
    #expect(call.values == [.string("Saved")])
    #expect(service.interruptions.allSatisfy { $0.method.path.hasPrefix(call.method.path + "/") })
  }
}
