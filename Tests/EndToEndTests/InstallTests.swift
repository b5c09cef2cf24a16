// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// `make install` and its reverse.
@Suite(.timeLimit(.minutes(hangs)))
struct InstallTests {
  private let directory: ScratchDirectory

  init() throws {
    directory = try ScratchDirectory()
    // Programs of a debug build are large, so that scripts stand in their place.
    let programs = URL(filePath: directory("programs"))
    try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: false)
    for name in Self.programs {
      let script = programs.appending(path: name).path
      let words = "#!/bin/sh\nexec \(DaemonProcess.built(name)) \"$@\"\n"
      #expect(
        FileManager.default.createFile(
          atPath: script,
          contents: Data(words.utf8),
          attributes: [.posixPermissions: 0o755]
        )
      )
    }
  }

  private static let programs = [
    "a11yd", "a11yctl", "a11y-speech", "a11y-braille", "a11y-atspi", "a11y-ssip", "a11y-forward",
    "a11y-demo",
  ]

  private func make(_ target: String) throws {
    _ = try Command(
      "/usr/bin/make",
      [
        "-C", BootedMachine.package.path, target, "DESTDIR=\(directory("root"))",
        "BUILD=\(directory("programs"))", "MAN=\(directory("man"))", "C_BUILD=\(directory("c"))",
      ]
    ).output()
  }

  /// All that is in a directory of the root, but for directories.
  private func files(below folder: String) throws -> Set<String> {
    let root = directory("root") + folder
    let found = try Command("/usr/bin/find", [root, "!", "-type", "d", "-printf", "%P\\n"]).output()
    return Set(found.split(separator: "\n").map(String.init))
  }

  @Test
  func `an installation has programs, pages and units, and leaves nothing behind but settings`()
    throws
  {
    try make("install")
    let installed = try files(below: "/usr")
    let pages = ManualTests.pages.map { "share/man/man\($0.suffix(1))/\($0)" }
    #expect(installed.isSuperset(of: Self.programs.map { "bin/\($0)" } + pages))
    #expect(installed.contains("lib/systemd/user/a11yd.socket"))
    #expect(installed.contains("lib/sysusers.d/a11y-forward.conf"))
    #expect(installed.contains("include/a11y.h"))

    let settings = directory("root") + "/etc/a11yd/a11yd.toml"
    try Data("# mine\n".utf8).write(to: URL(filePath: settings))
    try make("install")
    try make("uninstall")

    #expect(try files(below: "/") == ["etc/a11yd/a11yd.toml"])
    #expect(try String(contentsOfFile: settings, encoding: .utf8) == "# mine\n")
    #expect(!FileManager.default.fileExists(atPath: directory("root") + "/usr/share/a11yd"))
  }
}
