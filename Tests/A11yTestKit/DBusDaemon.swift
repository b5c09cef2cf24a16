// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A real D-Bus daemon of one test, which ends with this object.
package final class DBusDaemon {
  package let address: String
  private let process: Process

  /// Why there can be none here; nil where there can.
  package static let obstacle: String? =
    FileManager.default.isExecutableFile(atPath: program)
    ? nil : "dbus-daemon is not installed"

  private static let program = "/usr/bin/dbus-daemon"

  /// Starts a daemon whose socket is in this directory; programs that it starts have its
  /// environment.
  package init(in directory: ScratchDirectory, environment: [String: String] = [:]) throws {
    let output = Pipe()
    process = Process()
    process.executableURL = URL(filePath: Self.program)
    let socket = "unix:path=\(directory("dbus-\(UUID().uuidString.prefix(8))"))"
    process.arguments = ["--session", "--nofork", "--print-address=1", "--address=\(socket)"]
    process.environment = ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // The daemon prints its address when it takes connections.
    var line = Data()
    while !line.contains(10) {
      let piece = output.fileHandleForReading.availableData
      if piece.isEmpty { throw CocoaError(.executableNotLoadable) }
      line += piece
    }
    address = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  deinit { kill() }

  /// Ends the daemon without its knowledge.
  package func kill() {
    guard process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
