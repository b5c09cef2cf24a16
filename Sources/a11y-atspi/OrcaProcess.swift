// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yPosix

/// The process of an Orca, known by its name, and the installation that it comes from.
enum OrcaProcess {
  private static let name = "orca"
  private static let mostArguments = 4_096
  private static let mostOfFile = 16_384

  /// Whether a process is Orca: by the name that it gives itself, or by its program.
  static func isOrca(_ process: Int32) -> Bool {
    if Processes.name(of: process) == name { return true }
    guard let bytes = try? File.read("/proc/\(process)/cmdline", limit: mostArguments) else {
      return false
    }
    // An interpreter comes before its program.
    return bytes.split(separator: 0).prefix(2).contains { word in
      word.split(separator: UInt8(ascii: "/")).last?.elementsEqual(name.utf8) ?? false
    }
  }

  /// The version that the files beside the process's interpreter tell, without asking Orca.
  static func version(of process: Int32) -> OrcaVersion? {
    guard let program = File.resolved("/proc/\(process)/exe") else { return nil }
    let parts = program.split(separator: "/")
    guard let python = parts.last else { return nil }
    let own = "/" + parts.dropLast(2).joined(separator: "/")
    let folders = [
      "lib/python3/dist-packages", "lib/\(python)/site-packages", "lib64/\(python)/site-packages",
    ]
    for prefix in [own, "/usr"] {
      for folder in folders {
        let path = "\(prefix)/\(folder)/orca/orca_platform.py"
        guard let bytes = try? File.read(path, limit: mostOfFile) else { continue }
        return OrcaVersion(platformFile: String(decoding: bytes, as: UTF8.self))
      }
    }
    return nil
  }
}
