// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

// The things that do not keep the rules of the tree yet, with their present measures. The tables
// only ever get shorter.
extension Ratchet {
  /// Lines of files.
  static let fileLines = Ratchet(
    cap: 500,
    [
      "Sources/A11yDaemon/Bus.swift": 675,
      "Sources/A11yLog/EventLog.swift": 572,
      "Sources/a11y-sim/Oracle/Chronicle.swift": 527,
      "Sources/a11y-sim/Run/Simulation.swift": 692,
      "Tests/A11yBrokerTests/Explain/SentencesTests.swift": 684,
      "Tests/A11yDaemonTests/BusTests.swift": 506,
      "Tests/A11yctlTests/CommandTests.swift": 519,
      "Tests/EndToEndTests/SubscribeTests.swift": 529,
      "Tests/HeardTests/FocusTests.swift": 599,
    ]
  )

  /// Lines of the longest function of a name in a file.
  static let functionLines = Ratchet(
    cap: 70,
    [
      "Sources/A11yBroker/Intake/Publish.swift publish": 103,
      "Sources/A11yDaemon/Daemon.swift init": 76,
      "Sources/A11yLog/EventLog.swift init": 93,
      "Sources/A11yLog/Start/FoundTail.swift init": 92,
      "Sources/A11yLog/Start/Recovery.swift init": 80,
      "Sources/A11yPresenter/State/PresenterRecord.swift restore": 115,
      "Sources/A11yPresenter/State/PresenterRecord.swift writeRecord": 76,
    ]
  )

  /// Definitions of a name of functions in Sources.
  static let verbs = Ratchet(
    cap: 12,
    [
      "add": 27,
      "advance": 16,
      "append": 45,
      "ask": 13,
      "begin": 25,
      "check": 15,
      "count": 22,
      "end": 18,
      "finish": 19,
      "forget": 17,
      "leave": 15,
      "line": 13,
      "lines": 14,
      "look": 26,
      "note": 36,
      "open": 21,
      "pass": 51,
      "place": 16,
      "publish": 14,
      "read": 36,
      "round": 17,
      "run": 49,
      "send": 23,
      "take": 84,
      "tell": 17,
      "wait": 14,
      "words": 16,
      "write": 84,
    ]
  )

  /// Lines of a room that are wider than 100 columns.
  static let wideLines = Ratchet(
    cap: 0,
    [
      "Sources/A11yAdvice": 12,
      "Sources/A11yBroker": 14,
      "Sources/A11yClient": 18,
      "Sources/A11yDaemon": 14,
      "Sources/A11yLog": 39,
      "Sources/A11yModel": 15,
      "Sources/A11yPlay": 5,
      "Sources/A11yPosix": 6,
      "Sources/A11yPresenter": 40,
      "Sources/A11yRules": 1,
      "Sources/A11yToml": 1,
      "Sources/A11yWire": 9,
      "Sources/CBytes": 2,
      "Sources/CLinux": 1,
      "Sources/CxxJSON": 1,
      "Sources/CxxToml": 2,
      "Sources/Systemd": 2,
      "Sources/a11y-bench": 4,
      "Sources/a11y-sim": 30,
      "Sources/a11yctl": 13,
      "Tests/A11yAdviceTests": 1,
      "Tests/A11yBrokerTests": 10,
      "Tests/A11yClientTests": 12,
      "Tests/A11yDaemonTests": 3,
      "Tests/A11yLogTests": 12,
      "Tests/A11yModelTests": 10,
      "Tests/A11yPlayTests": 3,
      "Tests/A11yPresenterTests": 4,
      "Tests/A11yTestKit": 3,
      "Tests/A11yWireTests": 7,
      "Tests/A11yctlTests": 4,
      "Tests/EndToEndTests": 10,
      "Tests/FuzzKit": 2,
      "Tests/HeardTests": 2,
      "Tests/SystemdTests": 1,
    ]
  )

  /// Sentences of comments of a room that begin with a question word.
  static let questionSentences = Ratchet(
    cap: 0,
    [
      "Sources/A11yAdvice": 23,
      "Sources/A11yBroker": 67,
      "Sources/A11yClient": 90,
      "Sources/A11yDaemon": 55,
      "Sources/A11yLog": 83,
      "Sources/A11yModel": 55,
      "Sources/A11yPlay": 31,
      "Sources/A11yPosix": 16,
      "Sources/A11yPresenter": 126,
      "Sources/A11yRules": 23,
      "Sources/A11yToml": 7,
      "Sources/A11yWire": 26,
      "Sources/Systemd": 5,
      "Sources/a11y-bench": 37,
      "Sources/a11y-demo": 6,
      "Sources/a11y-sim": 67,
      "Sources/a11yctl": 73,
      "Tests/A11yAdviceTests": 5,
      "Tests/A11yBrokerTests": 12,
      "Tests/A11yClientTests": 4,
      "Tests/A11yDaemonTests": 10,
      "Tests/A11yLogTests": 21,
      "Tests/A11yModelTests": 3,
      "Tests/A11yPlayTests": 9,
      "Tests/A11yPosixTests": 1,
      "Tests/A11yPresenterTests": 13,
      "Tests/A11yRulesTests": 3,
      "Tests/A11yTestKit": 11,
      "Tests/A11yWireTests": 5,
      "Tests/A11yctlTests": 6,
      "Tests/EndToEndTests": 30,
      "Tests/FuzzKit": 9,
      "Tests/HeardTests": 21,
      "Tests/TidyTests": 2,
    ]
  )

  /// Files of Sources with this name.
  static let fileNames = Ratchet(
    cap: 1,
    [
      "Advice.swift": 2,
      "Asking.swift": 2,
      "Connection.swift": 2,
      "Cursor.swift": 2,
      "Element.swift": 2,
      "Explain.swift": 2,
      "Explanation.swift": 2,
      "Failure.swift": 2,
      "Field.swift": 2,
      "Filter.swift": 2,
      "Fingerprint.swift": 2,
      "Forget.swift": 3,
      "Forgetting.swift": 2,
      "Gestures.swift": 2,
      "Item.swift": 2,
      "Line.swift": 2,
      "Link.swift": 2,
      "Loop.swift": 2,
      "Mark.swift": 2,
      "Options.swift": 2,
      "Publisher.swift": 2,
      "ReaderPace.swift": 2,
      "Refusal.swift": 2,
      "Replay.swift": 2,
      "ReplayLog.swift": 2,
      "Report.swift": 3,
      "Simulate.swift": 2,
      "Simulation.swift": 2,
      "Speech.swift": 3,
      "Stamp.swift": 2,
      "Statistics.swift": 2,
      "Subscription.swift": 2,
      "Vocabulary.swift": 2,
      "Watermark.swift": 2,
      "Why.swift": 2,
      "Words.swift": 2,
    ]
  )

  /// Uses of underscored names of the standard library.
  static let underscoredNames = Ratchet(
    cap: 0,
    [
      "Alarms.swift _rawHashValue": 1,
      "BoundedTable.swift _modify": 1,
      "ByteBuffer.swift _overrideLifetime": 1,
      "ByteBuffer.swift _unsafeStart": 1,
      "Item.swift _modify": 1,
      "Item.swift _read": 2,
      "JSONReader.swift _overrideLifetime": 1,
      "JSONReader.swift _unsafeElements": 1,
      "JSONReader.swift _unsafeStart": 2,
      "Name.swift _rawHashValue": 1,
      "Seq.swift _rawHashValue": 1,
      "Tree.swift _modify": 1,
      "Tree.swift _read": 1,
      "Window.swift _rawHashValue": 1,
    ]
  )
}
