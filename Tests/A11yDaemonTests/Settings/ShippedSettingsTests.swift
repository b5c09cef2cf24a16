// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yRules
import A11yToml
import A11yWire
import Foundation
import Systemd
import Testing

@testable import A11yDaemon

@Suite struct ShippedSettingsTests {
  let text: String

  init() throws {
    let package = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
    text = try String(contentsOf: package.appending(path: "Config/a11yd.toml"), encoding: .utf8)
  }

  @Test func `the shipped file says field by field what the code's defaults say`() throws {
    var changed = Settings()
    changed.server = .init(socket: "/a", state: "/b", logLevel: .debug)
    changed.server.metrics = LoopbackAddress("127.0.0.1:1")
    changed.limits.connections = 1
    changed.limits.connectionsPerUser = 1
    changed.limits.elementBytesPerApp = 1
    changed.limits.elementBytesPerUser = 1
    changed.limits.inBuffer = 1
    changed.limits.outBuffer = 1
    changed.limits.unlimitedUsers = [1]
    changed.log = .init(
      segmentBytes: ByteCount(1),
      retainAge: .zero,
      retainBytes: ByteCount(1),
      retainEntries: 1,
      bytesPerUser: ByteCount(1)
    )
    changed.reader = .init(perCharacter: .zero, grace: .zero, language: .german)
    changed.rules = .init(dirs: [])

    // Read over settings that differ everywhere, so that the file cannot leave anything out.
    let loaded = LoadedSettings(text: Array(text.utf8), fileName: "a11yd.toml", over: changed)

    #expect(loaded.complaints == [])
    #expect(loaded.settings == Settings())
  }

  @Test func `the shipped file sets every setting, in the order of the code`() throws {
    let entries = try TomlText(Array(text.utf8), fileName: "a11yd.toml").entries

    let keys = entries.filter { $0.value != .table }.map(\.fullName)

    #expect(keys == Setting.all.map { "\($0.table).\($0.key)" })
  }

  @Test func `every setting has a comment above it`() {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)

    for (line, above) in zip(lines.dropFirst(), lines)
    where line.contains(" = ") && line.first != "#" {
      #expect(above.hasPrefix("# "), "\(line)")
    }
  }
}
