// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// The files that an earlier version has left, unpacked; `Tests/Released/README.md` tells of them.
final class Released {
  private let directory: ScratchDirectory

  /// The directory of the log.
  var log: String { directory("state") }
  var rules: String { directory("rules.toml") }
  var conversations: String { directory("conversations") }
  /// A rule with each matcher and setting, and how the version read it.
  var everyRule: String { directory("every-rule.toml") }
  func rulesAsRead() throws -> [JSON] {
    let text = try String(contentsOfFile: directory("every-rule.json"), encoding: .utf8)
    return try #require(JSON(text).list)
  }
  /// The shipped files of settings and rules.
  func settings() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: URL(filePath: directory("settings")),
      includingPropertiesForKeys: nil
    )
  }
  /// What programs may rely on: of `json` the members that `a11yctl` prints, `commands` and their
  /// options, the declarations in `swift`, and the names in `python`.
  func list(_ name: String) -> String { directory("\(name).txt") }

  /// All versions that are kept.
  static let versions = names(in: "").filter { $0.first?.isNumber == true }

  init(_ version: String) throws { directory = try Self.unpacked("\(version)/kept.tar.gz") }

  /// The version's own words about its log.
  func told() throws -> JSON {
    try JSON(String(contentsOfFile: directory("told.json"), encoding: .utf8))
  }

  /// Removes all states that stand beside the log, and says whether there were any.
  @discardableResult
  func removeStates() throws -> Bool {
    let states = try FileManager.default.contentsOfDirectory(atPath: log)
      .filter { $0.hasSuffix(".state") }
    for state in states { try FileManager.default.removeItem(atPath: "\(log)/\(state)") }
    return !states.isEmpty
  }

  /// The daemon of now on the log of then, however old that is.
  func start() throws -> RunningDaemon {
    try RunningDaemon(
      config: "[log]\nretain_days = 0\n[rules]\ndirs = [\"\(directory.path)\"]\n",
      log: log
    )
  }

  /// The versions of which it is also kept what programs may rely on.
  static let listed = versions.filter { $0 != "0.1" }
  /// The script that lists and compares.
  static let shapes = folder.appending(path: "shapes").path

  // MARK: Programs

  #if arch(x86_64)
  private static let machine: String? = "x86_64"
  #else
  private static let machine: String? = nil
  #endif

  /// The versions whose programs run here.
  static let runnable = versions.filter { version in
    machine.map { names(in: version).contains("\($0).tar.gz") } ?? false
  }

  /// The client in C of a version, in a directory of its own.
  static func client(_ version: String) throws -> ScratchDirectory {
    try unpacked("\(version)/\(machine ?? "").tar.gz")
  }

  // MARK: Files

  private static let folder = URL(filePath: #filePath).appending(path: "../../Released")
    .standardizedFileURL

  private static func names(in version: String) -> [String] {
    let path = folder.appending(path: version).path
    return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  private static func unpacked(_ archive: String) throws -> ScratchDirectory {
    let directory = try ScratchDirectory()
    let path = folder.appending(path: archive).path
    _ = try Command("/usr/bin/env", ["tar", "-xzf", path, "-C", directory.path]).output()
    return directory
  }
}
