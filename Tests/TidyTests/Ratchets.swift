// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

// The things that do not keep the rules of the tree yet, with their present measures. The tables
// only ever get shorter.
extension Ratchet {
  /// Lines of files.
  static let fileLines = Ratchet(
    cap: 500,
    [
      "Tests/A11yDaemonTests/BusTests.swift": 506,
      "Tests/A11yExplainTests/SentencesTests.swift": 682,
      "Tests/A11yctlTests/CommandTests.swift": 515,
      "Tests/EndToEndTests/SubscribeTests.swift": 529,
      "Tests/HeardTests/FocusTests.swift": 599,
    ]
  )

  /// Lines of the longest function of a name in a file.
  static let functionLines = Ratchet(
    cap: 70,
    [
      "Sources/A11yBroker/Intake/Publish.swift publish": 103,
      "Sources/A11yLog/Start/FoundTail.swift init": 92,
      "Sources/A11yLog/Start/Recovery.swift init": 80,
    ]
  )

  /// Definitions of a name of functions in Sources.
  static let verbs = Ratchet(
    cap: 12,
    [
      "advance": 14,
      "append": 37,
      "begin": 14,
      "check": 13,
      "count": 18,
      "finish": 14,
      "forget": 18,
      "measureRound": 16,
      "note": 22,
      "place": 15,
      "read": 21,
      "run": 37,
      "send": 18,
      "take": 28,
      "write": 41,
    ]
  )

  /// Lines of a room that are wider than 100 columns.
  static let wideLines = Ratchet(
    cap: 0,
    [
      "Sources/A11yAdvice": 3,
      "Sources/A11yExplain": 8,
      "Sources/A11yPlay": 1,
      "Sources/A11yWire": 1,
      "Sources/CBytes": 1,
      "Sources/CxxJSON": 2,
      "Sources/CxxToml": 2,
      "Sources/a11y-sim": 1,
      "Tests/A11yAdviceTests": 1,
      "Tests/A11yBrokerTests": 8,
      "Tests/A11yClientTests": 12,
      "Tests/A11yDaemonTests": 3,
      "Tests/A11yExplainTests": 2,
      "Tests/A11yLogTests": 7,
      "Tests/A11yModelTests": 10,
      "Tests/A11yPlayTests": 3,
      "Tests/A11yPresenterTests": 4,
      "Tests/A11yTestKit": 3,
      "Tests/A11yWireTests": 7,
      "Tests/A11yctlTests": 4,
      "Tests/EndToEndTests": 10,
      "Tests/HeardTests": 1,
    ]
  )

  /// Sentences of comments of a room that begin with a question word.
  static let questionSentences = Ratchet(cap: 0, [:])

  /// Files of Sources with this name.
  static let fileNames = Ratchet(cap: 1, [:])

  /// Uses of underscored names of the standard library.
  static let underscoredNames = Ratchet(
    cap: 0,
    [
      "BoundedTable.swift _modify": 1,
      "ByteBuffer.swift _overrideLifetime": 1,
      "ByteBuffer.swift _unsafeStart": 1,
      "Item.swift _modify": 1,
      "Item.swift _read": 2,
      "JSONReader.swift _overrideLifetime": 1,
      "JSONReader.swift _unsafeElements": 1,
      "JSONReader.swift _unsafeStart": 2,
      "TableKey.swift _rawHashValue": 1,
      "Tree.swift _modify": 1,
      "Tree.swift _read": 1,
    ]
  )
}
