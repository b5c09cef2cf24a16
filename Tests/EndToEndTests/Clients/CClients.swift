// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// The library for C with its programs, built once for all tests beside the test programs.
enum CClients {
  private static let root = URL(filePath: #filePath).appending(path: "../../../..")
    .standardizedFileURL
  private static let directory = DaemonProcess.built("c")

  /// The path of a program or library that `make` has built.
  static func built(_ name: String) -> String { "\(directory)/\(name)" }

  /// The path of a file of the repository.
  static func source(_ path: String) -> String { root.appending(path: path).path }

  /// Builds everything, once.
  static func build() throws { try result.get() }

  /// Runs `make` in the directory of the library.
  static func make(_ words: String...) throws {
    let make = Command("/usr/bin/make", ["-C", source("clients/c"), "OUT=\(directory)"] + words)
    _ = try make.output()
  }

  private static let result = Result { try make("all", "tests") }
}
