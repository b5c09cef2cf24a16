// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The workflows in docs/ci.md, which people copy.
@Suite struct CIDocumentTests {
  private func workflows() throws -> [String] {
    try Tree.text("docs/ci.md").matches(of: /```yaml\n((?:(?!```).*\n)*)```/)
      .map { String($0.1) }
  }

  @Test func `each workflow is YAML`() throws {
    let workflows = try workflows()
    try #require(workflows.count == 2)
    for workflow in workflows {
      // The structure that every reader of YAML needs: blanks in steps of two, and no tab.
      #expect(!workflow.contains("\t"))
      for line in workflow.split(separator: "\n") {
        #expect(line.prefix { $0 == " " }.count % 2 == 0, "\(line)")
      }
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      // Without the library the structure is all that is looked at.
      let program = """
        import sys
        try: import yaml
        except ImportError: sys.exit(0)
        sys.exit(0 if isinstance(yaml.safe_load(sys.argv[1]), dict) else 1)
        """
      process.arguments = ["python3", "-c", program, workflow]
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
  }

  @Test(arguments: ["a11yctl test", "lint", "--keep heard.ndjson", "make -C a11yd release"])
  func `each workflow builds, tests, advises and keeps the log`(words: String) throws {
    for workflow in try workflows() { #expect(workflow.contains(words), "\(words)") }
  }

  @Test func `each workflow has the form that its server shows`() throws {
    let workflows = try workflows()
    #expect(workflows[0].contains("--format github -- "))
    #expect(workflows[1].contains("--format junit -- ./contacts --self-test > heard.xml"))
    #expect(workflows[1].contains("junit: heard.xml"))
  }
}
