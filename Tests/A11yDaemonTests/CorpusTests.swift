// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import FuzzKit
import Testing

/// The inputs that the fuzzers start from or have found once are run with every test.
@Suite struct CorpusTests {
  struct Input: CustomTestStringConvertible {
    let target: FuzzTarget
    let file: URL

    var testDescription: String { "\(target.rawValue)/\(file.lastPathComponent)" }
  }

  static let corpus = URL(filePath: #filePath).appending(path: "../../Corpus").standardizedFileURL

  static let inputs = FuzzTarget.allCases.flatMap { target in
    let folder = corpus.appending(path: target.rawValue)
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder,
      includingPropertiesForKeys: nil
    )
    return (files ?? []).map { Input(target: target, file: $0) }
      .sorted { $0.file.path < $1.file.path }
  }

  @Test(arguments: inputs)
  func `an input of the corpus finds nothing`(input: Input) throws {
    try input.target.take([UInt8](Data(contentsOf: input.file)), Readers())
  }

  @Test(arguments: FuzzTarget.allCases)
  func `every fuzzer has something to start from`(target: FuzzTarget) {
    #expect(Self.inputs.contains { $0.target == target })
  }

  @Test func `what a fuzzer should find is found`() {
    #expect(throws: Broken.self) { try FuzzTarget.canary.take(Array("bird".utf8), Readers()) }
  }
}
