// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

extension DesktopTests {
  /// The report of a day in a real browser, which is compared with the log that it was made of.
  @Suite(
    .enabled(
      if: Desktop.isCI || HeadlessBrowser.obstacle == nil,
      "\(HeadlessBrowser.obstacle ?? "")"
    )
  )
  struct ReportPageTests {
    let browser: HeadlessBrowser
    let address: String
    let page: String
    /// The events of the log, each with its seq.
    let events: [(seq: Int64, event: JSON)]

    init() throws {
      let directory = try ScratchDirectory()
      browser = HeadlessBrowser(directory: directory)
      let (script, log, file) = (directory("script"), directory("log"), directory("day.html"))
      try DayScript.text.write(toFile: script, atomically: true, encoding: .utf8)
      let lines = try Command(LogFiles.tool, ["simulate", script]).output()
      try "\(lines)\n".write(toFile: log, atomically: true, encoding: .utf8)
      let words = ["report", "--log", log, "--since", "1970-01-01", "-o", file]
      _ = try Command(LogFiles.tool, words).output()
      page = try String(contentsOfFile: file, encoding: .utf8)
      address = "file://\(file)"
      events = try lines.split(separator: "\n").map { line in
        let entry = try JSON(String(line))
        return (entry["seq"].integer ?? 0, entry["event"])
      }
    }

    private static let widths = [1_280, 500]

    @Test(arguments: widths)
    func `the page is drawn, and nothing complains`(width: Int) throws {
      let blank = browser.directory("blank.html")
      try "<!doctype html><title>Blank</title>"
        .write(toFile: blank, atomically: true, encoding: .utf8)
      let shown = try browser.screenshot(address, width: width)
      #expect(shown.count > 5 * (try browser.screenshot("file://\(blank)", width: width).count))
      let printed = try browser.show(address, "--dump-dom", width: width)
      #expect(printed.consoleLines.isEmpty)
      #expect(printed.contains("</html>"))
    }

    @Test(arguments: widths, [false, true])
    func `axe-core finds nothing, by day and by night`(width: Int, isDark: Bool) throws {
      let found = try browser.findings(of: page, isDark: isDark, width: width)
      #expect(found["violations"].strings == [])
      #expect(found["passes"].integer ?? 0 > 30, "the checks have run")
      #expect(found["background"].string == (isDark ? "rgb(21, 22, 26)" : "rgb(255, 255, 255)"))
      #expect(found["loaded"].strings == [], "the page asks for nothing")
      #expect(found["overhang"].integer ?? 1 <= 0, "only figures and tables are scrolled sideways")
      // The link past the head, eight to the parts, six figures, their tables, and two lists.
      #expect(found["focusable"].integer ?? 0 >= 1 + 8 + 6 + 6 + 2)
    }

    @Test func `a script that has come into the page does not run`() throws {
      let copy = browser.directory("scripted.html")
      try page.replacing("</html>", with: "<script>document.title = 'Ran'</script></html>")
        .write(toFile: copy, atomically: true, encoding: .utf8)
      #expect(try !browser.show("file://\(copy)", "--dump-dom").contains("<title>Ran"))
    }

    @Test func `axe-core would find a mistake`() throws {
      let broken = page.replacing("<main", with: "<img src=\"data:,\"><main")
      let found = try browser.findings(of: broken, isDark: false, width: 1_280)
      #expect(found["violations"].strings?.contains { $0.hasPrefix("image-alt") } == true)
    }

    @Test func `the browser shows each event and each outcome of the log`() throws {
      let shown = try browser.show(address, "--dump-dom")
      let kinds = ["announcement", "layout-changed", "screen-changed", "page-scrolled"]
      let heard = events.filter { entry in
        let type = entry.event["type"].string ?? ""
        return kinds.contains(type) || type == "focus" && entry.event["app"].string != nil
      }
      let ends = Dictionary(
        events.compactMap { _, event in
          event["of"].integer.flatMap { of in event["result"].string.map { _ in (of, event) } }
        }
      ) { first, _ in first }
      let spoken = heard.count { entry in
        let end = ends[entry.seq]
        return end?["result"] == "heard" || end?["why"]["heard_ms"].integer ?? 0 > 0
      }
      #expect(shown.contains("2 apps published \(heard.count) events to be heard; \(spoken) of"))
      for (seq, event) in heard where ends[seq]?["result"] != "heard" {
        let row = try #require(
          shown.components(separatedBy: "<tr>").first { $0.contains("scope=\"row\">\(seq)<") }
        )
        let text = try #require(event["text"].string)
        #expect(row.contains(text.replacing("<", with: "&lt;").replacing(">", with: "&gt;")))
      }
    }

    @Test func `on paper every table is open`() throws {
      let file = browser.directory("day.pdf")
      _ = try browser.show(address, "--print-to-pdf=\(file)", "--no-pdf-header-footer")
      let paper = String(
        decoding: try Data(contentsOf: URL(filePath: file)),
        as: Unicode.ASCII.self
      )
      #expect(paper.hasPrefix("%PDF-"))
      #expect(paper.matches(of: /\/S \/Table\b/).count == page.matches(of: /<table>/).count)
      #expect(paper.matches(of: /\/S \/TR\b/).count == page.matches(of: /<tr>/).count)
    }

    @Test func `the page that follows the bus brings itself up to date`() throws {
      let daemon = try RunningDaemon()
      let app = try daemon.connect()
      try app.hello("org.example.Mail")
      let report = try DaemonProcess(
        ["report", "--live", "--socket", daemon.socket],
        of: LogFiles.tool,
        environment: RunningDaemon.home(in: daemon.directory)
      )
      let line = try report.line(beginning: "The report is at ")
      let address = try #require(line.split(separator: " ").first { $0.hasPrefix("http:") })
      // More than two of the page's looks at the bus, in the browser's own time.
      let shown = try DaemonProcess(
        browser.words(["--dump-dom", "--virtual-time-budget=12000"], String(address)),
        of: HeadlessBrowser.program,
        environment: ProcessInfo.processInfo.environment
      )
      var seqs: [Int64] = []
      let deadline = Deadline.usual
      while !shown.said.contains("</html>"), !deadline.isOver {
        seqs.append(
          try app.publishAccepted(#"{"type":"announcement","text":"Text \#(seqs.count)"}"#)
        )
        _ = try? shown.line(containing: "</html>", within: .milliseconds(50))
      }
      let version = try #require(shown.said.firstMatch(of: /data-version="&quot;(\d+)/))
      let count = try #require(shown.said.firstMatch(of: /1 app published (\d+) events/))
      let loaded = seqs.count { $0 <= Int64(version.1) ?? .max }
      #expect(Int(count.1) ?? 0 > loaded, "there were \(loaded) when the page was loaded")
      #expect(shown.said.consoleLines.isEmpty)
    }
  }
}
