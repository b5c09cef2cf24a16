// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// A real browser with a profile of its own.
enum Browser: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case chromium
  case firefox

  var testDescription: String { rawValue }

  var program: String { self == .chromium ? "chromium" : "firefox-esr" }

  /// Its name on the bus.
  var app: String { self == .chromium ? "Chromium" : "Firefox" }

  static let obstacle = Desktop.obstacle(to: Desktop.programs + allCases.map(\.program))

  /// Shows a page of the tests.
  func show(
    _ fragment: String = "",
    page: String = "page.html",
    in directory: ScratchDirectory,
    on screen: DesktopScreen
  ) throws
    -> DaemonProcess
  {
    let profile = directory("profile-\(UUID().uuidString.prefix(8))")
    let page = "file://\(Desktop.file(page))\(fragment)"
    try FileManager.default.createDirectory(atPath: profile, withIntermediateDirectories: true)
    var variables = screen.environment
    variables["TMPDIR"] = directory.path
    switch self {
    case .chromium:
      let words = Self.chromiumWords + ["--user-data-dir=\(profile)", page]
      return try DaemonProcess(words, of: "/usr/bin/chromium", environment: variables)
    case .firefox:
      try Data(Self.preferences.utf8).write(to: URL(filePath: "\(profile)/user.js"))
      variables["GNOME_ACCESSIBILITY"] = "1"
      let words = ["--no-remote", "--profile", profile, page]
      return try DaemonProcess(words, of: "/usr/bin/firefox-esr", environment: variables)
    }
  }

  /// Root has no sandbox; the others keep it from asking, and from the network.
  private static let chromiumWords = [
    "--no-sandbox", "--force-renderer-accessibility", "--no-first-run", "--disable-gpu",
    "--password-store=basic", "--disable-dev-shm-usage", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
  ]

  /// Keeps Firefox from its welcome and its notes of privacy.
  private static let preferences = """
    user_pref("browser.aboutwelcome.enabled", false);
    user_pref("browser.shell.checkDefaultBrowser", false);
    user_pref("browser.startup.homepage_override.mstone", "ignore");
    user_pref("datareporting.policy.dataSubmissionEnabled", false);
    user_pref("termsofuse.bypassNotification", true);
    """
}
