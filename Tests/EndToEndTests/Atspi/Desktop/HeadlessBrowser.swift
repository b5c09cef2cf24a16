// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// Chromium without a window: it shows a page once, and leaves a file or the page's elements.
struct HeadlessBrowser {
  let directory: ScratchDirectory

  static let program = "/usr/bin/chromium"
  static let obstacle = Desktop.obstacle(to: ["chromium"]) ?? axeObstacle

  /// The checks of axe-core, which `make deps-desktop` has fetched.
  private static let axe = "\(Desktop.fetched)/axe_playwright_python/axe.min.js"
  static let axeObstacle =
    FileManager.default.fileExists(atPath: axe) ? nil : "make deps-desktop has fetched no axe-core"

  /// The words with which it shows a page at a width.
  ///
  /// Root has no sandbox. No name leads anywhere, for the browser's own services neither; console
  /// messages go to standard error.
  func words(_ more: [String], width: Int = 1_280, _ address: String) -> [String] {
    [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
      "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update",
      "--disable-sync", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
      "--enable-logging=stderr", "--window-size=\(width),2000",
      "--user-data-dir=\(directory("profile-\(UUID().uuidString.prefix(8))"))",
    ] + more + [address]
  }

  /// Shows a page, and returns all that the browser prints.
  func show(_ address: String, _ more: String..., width: Int = 1_280) throws -> String {
    try Command(Self.program, words(more, width: width, address)).output()
  }

  /// The screen of a page, as bytes of a PNG.
  func screenshot(_ address: String, width: Int) throws -> Data {
    let file = directory("\(UUID().uuidString).png")
    _ = try show(address, "--screenshot=\(file)", width: width)
    return try Data(contentsOf: URL(filePath: file))
  }

  /// The findings about a page by itself, in the light or in the dark.
  ///
  /// The probe stands in a copy of the page, behind its last element.
  func findings(of page: String, isDark: Bool, width: Int) throws -> JSON {
    let axe = try String(contentsOfFile: Self.axe, encoding: .utf8)
    let probe = "<script>\(axe)</script><script>\(Self.probe)</script></html>"
    let copy = directory("probed.html")
    // The page lets no script run, and this copy lets ours.
    let policy = "default-src 'none'; script-src 'unsafe-inline'"
    try page.replacing("default-src 'none'", with: policy).replacing("</html>", with: probe)
      .write(toFile: copy, atomically: true, encoding: .utf8)
    let printed = try show(
      "file://\(copy)",
      "--dump-dom",
      "--virtual-time-budget=60000",
      "--blink-settings=preferredColorScheme=\(isDark ? 0 : 1)",
      width: width
    )
    let found = try #require(
      printed.firstMatch(of: /<script type="text\/plain" id="probed">(.*?)<\/script>/)
    )
    return try JSON(String(found.1))
  }

  private static let probe = """
    const loaded = performance.getEntriesByType("resource").map((one) => one.name);
    const page = document.documentElement;
    axe.run(document).then((result) => {
      const probed = document.createElement("script");
      probed.type = "text/plain";
      probed.id = "probed";
      probed.textContent = JSON.stringify({
        violations: result.violations.map((one) => one.id + ": " + one.nodes[0].html),
        passes: result.passes.length, loaded,
        background: getComputedStyle(document.body).backgroundColor,
        overhang: page.scrollWidth - page.clientWidth,
        focusable: document.querySelectorAll("a[href], summary, [tabindex='0']").length,
      }).replaceAll("<", "\\\\u003c");
      document.body.append(probed);
    });
    """
}

extension String {
  /// The lines that a page has written to the console, errors of the browser about it included.
  var consoleLines: [Substring] { split(separator: "\n").filter { $0.contains(":CONSOLE:") } }
}
