// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// Engines that lie: each lie is told, costs bounded memory, and an honest engine in the same place
/// gets the log afterwards.
@Suite(.serialized, .timeLimit(.minutes(hangs)), .fleet)
struct FleetLiarTests {
  /// The program's own limit of 512 MiB, in kibibytes, with its code and libraries.
  private static let mostMemory = 576 * 1_024

  @Test(arguments: LyingEngine.Lie.allCases.filter { $0.kind.obstacle == nil })
  func `a lie is told, and the log goes to whoever comes in its place`(
    lie: LyingEngine.Lie
  ) throws {
    let daemon = try RunningDaemon()
    let liar = try LyingEngine(lie)
    for number in 1...20 {
      try daemon.connect().publishAccepted(
        #"{"type":"announcement","text":"Change \#(number)"}"#
      )
    }
    let forwarder = try DaemonProcess(
      ["--socket", daemon.socket, "--to", liar.address, "--machine", "m-1", "--all"],
      of: SpeechTools.built("a11y-forward"),
      environment: RunningDaemon.home(in: daemon.directory)
    )

    _ = try forwarder.line(containing: lie.telling, within: .seconds(40))
    #expect(try RigProcess.figure("VmHWM", of: forwarder.number) < Self.mostMemory)

    liar.go()
    let engine = try EngineServer(lie.kind, port: liar.port)
    _ = try forwarder.line(containing: "sending the log to", within: .seconds(40))
    try waitUntil("the log") { try !engine.stored("m-1").isEmpty }
  }
}
