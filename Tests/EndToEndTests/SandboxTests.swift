// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// A program in the sandbox that Flatpak makes of bubblewrap, as the page for operators has it.
@Suite(.timeLimit(.minutes(hangs)))
struct SandboxTests {
  private static let bubblewrap = "/usr/bin/bwrap"

  /// Whether a sandbox can be made here.
  static let isPossible =
    (try? Command(bubblewrap, ["--unshare-all", "--ro-bind", "/", "/", "/bin/true"]).run())?.status
    == 0

  /// Runs `a11yctl` where of the runtime directory nothing is there but these places.
  private func run(
    _ words: [String],
    runtime: String,
    sharing places: [String]
  ) throws -> (status: Int32, output: String) {
    let sandbox = ["--unshare-all", "--ro-bind", "/", "/", "--tmpfs", runtime]
    let shared = places.flatMap { ["--ro-bind", "\(runtime)/\($0)", "\(runtime)/\($0)"] }
    return try Command(
      Self.bubblewrap,
      sandbox + shared + [DaemonProcess.built("a11yctl")] + words,
      environment: ["XDG_RUNTIME_DIR": runtime, "A11YD_SOCKET": ""]
    ).run()
  }

  @Test(.enabled(if: isPossible, "bubblewrap is missing, or makes no sandbox here"))
  func `the directory of the socket is all that a sandbox has to share`() throws {
    let scratch = try ScratchDirectory()
    let runtime = scratch("run")
    try Data().write(to: URL(filePath: scratch("a11yd.toml")))
    let process = try DaemonProcess(
      ["--state", scratch("state"), "--config", scratch("a11yd.toml")],
      environment: RunningDaemon.home(in: scratch)
    )
    _ = try process.line(beginning: "a11yd: ready ")

    let without = try run(["announce", "a"], runtime: runtime, sharing: [])
    let with = try run(["announce", "a"], runtime: runtime, sharing: ["a11yd"])

    #expect(without.status == 69)
    #expect(without.output.contains("Cannot reach a11yd"))
    #expect(with.status == 0, "\(with.output)")
    let client = try RawClient(runtime + "/a11yd/bus.sock")
    try client.subscribe(#","from":"start","filter":{"types":["announcement"]}"#)
    let entry = try client.entriesUntilCaughtUp()[0]
    #expect(try JSON(entry.line)["uid"] == .integer(Int64(getuid())))
  }
}
