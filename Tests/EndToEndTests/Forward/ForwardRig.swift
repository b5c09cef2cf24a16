// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// A daemon, an engine and the forwarder between them.
final class ForwardRig: ForwardedLog {
  let daemon: RunningDaemon
  let engine: EngineServer
  private(set) var forwarder: DaemonProcess
  private let words: [String]
  private var isMade = false

  static let machine = "m-1"

  init(
    _ kind: EngineServer.Kind,
    _ words: [String] = ["--all"],
    config: String = "",
    engine extra: [String] = []
  ) throws {
    daemon = try RunningDaemon(config: config)
    engine = try EngineServer(kind, extra)
    self.words = ["--to", engine.address, "--machine", Self.machine] + words
    forwarder = try Self.start(daemon, self.words)
  }

  private static func start(_ daemon: RunningDaemon, _ words: [String]) throws -> DaemonProcess {
    try DaemonProcess(
      ["--socket", daemon.socket] + words,
      of: SpeechTools.built("a11y-forward"),
      environment: RunningDaemon.home(in: daemon.directory)
    )
  }

  func startForwarder() throws { forwarder = try Self.start(daemon, words) }

  @discardableResult
  func forget(_ app: String) throws -> Int64? {
    try daemon.connect().ask(#"{"id":1,"op":"forget","apps":["\#(app)"]}"#)["ok"]["count"].integer
  }

  /// The lines that the engine has.
  ///
  /// nats-server 2.9.10 crashes when it is asked for a message of a stream that it is just making,
  /// so that nobody asks before the forwarder sends; a new forwarder finds the stream made.
  func stored() throws -> [String] {
    if engine.kind == .nats, !isMade {
      guard forwarder.said.contains("nothing leaves this machine") == false else { return [] }
      _ = try forwarder.line(containing: "sending the log to")
      isMade = true
    }
    return try engine.stored(Self.machine).map(\.line)
  }

  /// Waits until the engine has the log, byte for byte, nothing twice and nothing more.
  func expectWhole(_ words: Comment) throws {
    let deadline = Deadline(after: .seconds(40))
    var (logged, stored) = try (logged(), stored())
    while logged != stored, !deadline.isOver {
      poll(nil, 0, 50)
      (logged, stored) = try (self.logged(), self.stored())
    }
    #expect(stored == logged, "\(words): \(forwarder.said)")
  }
}
