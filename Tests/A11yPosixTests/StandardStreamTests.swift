// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Foundation
import Testing

@Suite struct StandardStreamTests {
  @Test func `output arrives whole`() async {
    let result = await #expect(
      processExitsWith: .success,
      observing: [\.standardOutputContent, \.standardErrorContent]
    ) {
      #expect(StandardOutput.write(String(repeating: "x", count: 100_000)) == .written)
      StandardError.write("complaint")
    }

    let output = result.map { $0.standardOutputContent.count(where: { $0 == UInt8(ascii: "x") }) }
    let complaint = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
    #expect(output.map { $0 >= 100_000 } == true)
    #expect(complaint?.contains("complaint") == true)
  }

  @Test func `a reader that has gone is an outcome`() async {
    await #expect(processExitsWith: .success) {
      Signals.ignoreBrokenPipe()
      let pair = try UnixStream.pair()
      dup2(pair.first.number, 1)
      close(pair.first)
      close(pair.second)
      guard StandardOutput.write("x") == .closed else { exit(1) }
    }
  }
}
