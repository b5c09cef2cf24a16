// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

/// The rules that keep the tree readable; the things that break them still stand in Ratchets.swift.
@Suite struct HouseTests {
  private var sources: [SwiftSource] { SwiftSource.all.filter { $0.path.hasPrefix("Sources/") } }

  @Test func `a file has at most 500 lines`() throws {
    let files = try Tree.files(
      below: "Sources",
      "Tests",
      "clients",
      named: [".swift", ".c", ".cpp", ".h", ".sh"]
    )
    let lines = files.map { ($0.path, $0.lines.count - 1) }

    #expect(Ratchet.fileLines.faults(in: Dictionary(uniqueKeysWithValues: lines)) == [])
  }

  @Test func `a function has at most 70 lines`() {
    let lines = SwiftSource.all.flatMap { source in
      source.functions.map { ("\(source.path) \($0.name)", $0.lines ?? 0) }
    }

    #expect(Ratchet.functionLines.faults(in: Dictionary(lines, uniquingKeysWith: max)) == [])
  }

  @Test func `a verb has at most twelve meanings`() {
    let functions = sources.flatMap(\.functions).filter { $0.name != "init" }
    // All functions that meet one requirement have the meaning that it gives them.
    let requirements = Set(functions.filter(\.isRequirement).map(\.signature))
    let verbs = functions.filter { !requirements.contains($0.signature) }
    let counts = Dictionary(grouping: verbs, by: \.name).mapValues(\.count)

    #expect(Ratchet.verbs.faults(in: counts) == [])
  }

  @Test func `a line has at most 100 columns, in comments, too`() throws {
    let files = try Tree.files(
      below: "Sources",
      "Tests",
      "clients",
      named: [".swift", ".c", ".cpp", ".h"]
    )
    let wide = files.map { file in
      (file.room, file.lines.count { $0.unicodeScalars.count > 100 })
    }

    #expect(Ratchet.wideLines.faults(in: Dictionary(wide, uniquingKeysWith: +)) == [])
  }

  @Test func `no comment has a sentence that begins with a question word`() {
    let counts = SwiftSource.all.map { ($0.room, Self.questionSentences(in: $0.comments).count) }

    #expect(Ratchet.questionSentences.faults(in: Dictionary(counts, uniquingKeysWith: +)) == [])
  }

  /// The question words that begin a sentence.
  ///
  /// Read byte by byte, since a regular expression takes a minute in a debug build.
  private static func questionSentences(in comments: [String]) -> [String] {
    let newline = UInt8(ascii: "\n")
    let initial = UInt8(ascii: "W")
    return comments.flatMap { comment in
      Array(comment.utf8).split(separator: newline).flatMap { paragraph in
        paragraph.indices.compactMap { index in
          guard paragraph[index] == initial else { return nil }
          let word = String(decoding: paragraph[index...].prefix(while: isLetter), as: UTF8.self)
          let isFirst = questionWords.contains(word) && beginsSentence(after: paragraph[..<index])
          return isFirst ? word : nil
        }
      }
    }
  }

  private static let questionWords: Set = ["What", "Who", "Whoever", "Whom"]

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x5f, 0x61...0x7a, 0x80...: true
    default: false
    }
  }

  /// Whether a word begins a sentence: at the start of a paragraph, behind the end of another
  /// sentence, or behind the name of a parameter.
  private static func beginsSentence(after before: ArraySlice<UInt8>) -> Bool {
    var text = Substring(String(decoding: before, as: UTF8.self))
    if text.isEmpty { return true }
    guard text.popLast() == " ", let last = text.last else { return false }
    if text.hasPrefix("- "), last == ":" {
      let name = text.utf8.dropFirst(2).dropLast()
      return !name.isEmpty && name.allSatisfy(isLetter)
    }
    let end = "\"”)".contains(last) ? text.dropLast().last : last
    return end.map { ".!?".contains($0) } ?? false
  }

  @Test func `no two files of Sources have one name`() {
    let counts = Dictionary(grouping: sources, by: \.name).mapValues(\.count)

    // Every program begins in a file of this name.
    #expect(Ratchet.fileNames.faults(in: counts.filter { $0.key != "Main.swift" }) == [])
  }

  @Test func `nothing of the standard library is used that begins with an underscore`() {
    let ofTheCLibrary = ["_SC_CLK_TCK", "_exit"]
    let uses = sources.flatMap { source in
      source.underscored.filter { !ofTheCLibrary.contains($0) }.map { "\(source.name) \($0)" }
    }
    let counts = Dictionary(grouping: uses) { $0 }.mapValues(\.count)

    #expect(Ratchet.underscoredNames.faults(in: counts) == [])
  }

  // MARK: The rules themselves

  @Test func `the scanner tells code from words`() {
    let text = """
      /// What is said. Who hears it
      /// is told.
      ///
      /// Whoever asks, asks (“Whom?” So a What).
      ///
      /// - a: Whom it asks. - b: Who
      func one(_ a: Int = { 1 }()) {
        let b = "func two() { \\(f("}")) } // no"  // Plain.
        let c = #"\\" { "#
      }
      protocol P {
        func three()
        func four()
      }
      func `a { sentence`() { _rest() }
      """
    let source = SwiftSource(Tree.File(path: "Sources/Room/File.swift", text: text))

    #expect(source.functions.map(\.name) == ["one", "three", "four", "`____________`"])
    #expect(source.functions.map(\.lines) == [4, nil, nil, 1])
    #expect(source.functions.map(\.isRequirement) == [false, true, true, false])
    #expect(source.functions.map(\.signature).first == "func one ( _ a : Int = { 1 } ( ) )")
    #expect(source.underscored == ["_rest"])
    #expect(Self.questionSentences(in: source.comments) == ["What", "Who", "Whoever", "Whom"])
  }

  @Test func `a ratchet lets nothing get worse and keeps no entry for nothing`() {
    let ratchet = Ratchet(cap: 5, ["old": 9, "mended": 7])

    #expect(ratchet.faults(in: ["old": 8, "new": 5, "mended": 6]) == [])
    #expect(ratchet.faults(in: ["old": 10, "new": 6, "mended": 5]).count == 3)
  }

  @Test func `the functions that are looked for are found`() {
    #expect(SwiftSource.all.count > 500)
    #expect(sources.flatMap(\.functions).count > 2_000)
  }
}
