// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation

/// The programs that real speech needs.
enum SpeechTools {
  private static let wanted = ["speech-dispatcher", "espeak-ng", "pulseaudio", "parec"]

  /// The reason for which real speech cannot be tried here; nil where it can.
  static var obstacle: String? {
    let missing = wanted.filter { !FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)") }
    return missing.isEmpty ? nil : "real speech needs \(missing.joined(separator: ", "))"
  }

  /// A program that was built with the tests.
  static func built(_ name: String) -> String {
    URL(filePath: DaemonProcess.program).deletingLastPathComponent().appending(path: name).path
  }
}

/// Looks until something is so: for states of the kernel, of which nobody tells.
func waitUntil(
  _ what: @autoclosure () throws -> String,
  within patience: Duration = .seconds(20),
  isSo: () throws -> Bool
) throws {
  let deadline = Deadline(after: patience)
  while try !isSo() {
    if deadline.isOver { throw try Missing(what()) }
    poll(nil, 0, 5)
  }
}

/// The processes that carry a directory in their environment: all that a rig has started, and all
/// that those have started.
struct RigProcess {
  let id: pid_t
  let name: String
  /// A letter as `ps` shows it: `T` for a stopped one.
  let state: Character

  static func all(of directory: ScratchDirectory) -> [RigProcess] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { pid_t($0) }.compactMap { id in
      guard let variables = FileManager.default.contents(atPath: "/proc/\(id)/environ"),
        variables.firstRange(of: Data(directory.path.utf8)) != nil
      else { return nil }
      return RigProcess(id)
    }
  }

  /// A process as it is now; nil for one that has ended.
  init?(_ id: pid_t) {
    guard let bytes = FileManager.default.contents(atPath: "/proc/\(id)/stat") else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let open = text.firstIndex(of: "("), let shut = text.lastIndex(of: ")"),
      let state = text[shut...].dropFirst(2).first, state != "Z", state != "X"
    else { return nil }
    self.id = id
    name = String(text[text.index(after: open)..<shut])
    self.state = state
  }

  static func isRunning(_ id: pid_t) -> Bool { RigProcess(id) != nil }

  /// A line of `/proc/PID/status`, as a number.
  static func figure(_ name: String, of id: pid_t) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
    guard let line, let number = Int(line.filter(\.isNumber)) else { throw Missing(name) }
    return number
  }
}
