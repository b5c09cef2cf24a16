// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// Real programs of a desktop, on a screen of their own: for `make test-desktop`, since each takes
/// seconds to start.
@Suite(
  .serialized,
  .enabled(if: Desktop.isWanted, "make test-desktop sets A11Y_DESKTOP=1"),
  .timeLimit(.minutes(hangs))
)
struct DesktopTests {
  /// Nothing is passed over in silence where everything should be there.
  @Test(.enabled(if: Desktop.isCI, "for CI alone"))
  func `the programs of the desktop are there`() {
    #expect(Desktop.obstacle(to: Desktop.programs + ["chromium", "firefox-esr", "orca"]) == nil)
    #expect(Desktop.accessKitObstacle == nil)
    #expect(HeadlessBrowser.axeObstacle == nil)
  }
}

/// The things that tests with a desktop need of the machine.
enum Desktop {
  private static let environment = ProcessInfo.processInfo.environment

  static let isWanted = environment["A11Y_DESKTOP"] == "1"
  static let isCI = environment["CI"] == "true"

  /// A screen, a window manager, a user and a Python for programs.
  static let programs = ["Xvfb", "openbox", "xdotool", "python3"]

  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../..").standardizedFileURL.path

  /// A file that the tests show or run.
  static func file(_ name: String) -> String { "\(root)/Tests/Desktop/\(name)" }

  /// The directory with AccessKit and axe-core, which `make deps-desktop` has fetched.
  static let fetched = "\(root)/.build/desktop"

  static let demo = "\(root)/tools/run-desktop-demo"
  static let demoObstacle = Browser.obstacle ?? SpeechTools.obstacle

  /// The programs that are missing, as a sentence; nil where all are there.
  static func obstacle(to programs: [String]) -> String? {
    let missing = programs.filter {
      !FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
    }
    return missing.isEmpty ? nil : "missing: \(missing.joined(separator: ", "))"
  }

  static let accessKitObstacle =
    FileManager.default.fileExists(atPath: "\(fetched)/accesskit")
    ? nil : "make deps-desktop has fetched no AccessKit"

  /// The reason for which tests with these programs are left out; in CI they fail instead.
  static func excuse(_ obstacle: String?) -> String? {
    isCI ? nil : obstacle ?? Bridge.obstacle ?? Bridge.registryObstacle
  }
}
