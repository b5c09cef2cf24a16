// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

/// The rules that keep the tree readable; the things that break them still stand in Ratchets.swift.
@Suite struct HouseTests {
  private var sources: [SwiftSource] { SwiftSource.all.filter { $0.path.hasPrefix("Sources/") } }

  @Test func `a function has at most 70 lines`() {
    let lines = SwiftSource.all.flatMap { source in
      source.functions.map { ("\(source.path) \($0.name)", $0.lines ?? 0) }
    }

    #expect(Ratchet.functionLines.faults(in: Dictionary(lines, uniquingKeysWith: max)) == [])
  }

  @Test func `a line has at most 100 columns, in comments, too`() {
    let kinds = [".swift", ".c", ".cpp", ".h", ".py"]
    let files = (try? Tree.files(below: "Sources", "Tests", "clients", named: kinds)) ?? []
    let wide = files.map { file in
      (file.room, file.lines.count { $0.unicodeScalars.count > 100 })
    }

    #expect(Ratchet.wideLines.faults(in: Dictionary(wide, uniquingKeysWith: +)) == [])
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
