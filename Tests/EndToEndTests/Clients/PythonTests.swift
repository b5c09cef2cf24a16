// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// The tests of the Python package, with the daemon that was built here.
@Suite(.timeLimit(.minutes(hangs)))
struct PythonTests {
  /// Debian's Python, for another may come first in the path.
  private static let python = "/usr/bin/python3"
  private static let package =
    URL(filePath: #filePath).appending(path: "../../../../clients/python").standardizedFileURL.path

  /// The files of tests, each by the name of its module.
  static let modules: [String] = {
    let names = try? FileManager.default.contentsOfDirectory(atPath: package + "/tests")
    return (names ?? []).filter { $0.hasPrefix("test_") && $0.hasSuffix(".py") }
      .map { String($0.dropLast(3)) }.sorted()
  }()

  @Test func `the tests that are looked for are found`() {
    #expect(Self.modules.contains("test_publish"))
    #expect(Self.modules.count > 8)
  }

  @Test(arguments: modules)
  func `the package does as it says`(module: String) throws {
    let tests = Command(
      "/usr/bin/env",
      ["-C", Self.package + "/tests", Self.python, "-B", "-X", "dev", "-m", "unittest", module],
      environment: [
        "A11YD_PROGRAM": DaemonProcess.program,
        "PYTHONPATH": Self.package + "/src",
      ]
    )
    let (status, output) = try tests.run()

    #expect(status == 0, "\(output)")
    #expect(!output.contains("skipped="), "\(output)")
  }
}
