// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix

/// How a bus is started that nobody has found, by the units that this machine has.
struct StartAdvice {
  /// Where systemd looks for the units of one of its managers, its own directories first.
  private static let roots = ["/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"]

  private let isThere: (_ path: String) -> Bool

  init(isThere: @escaping (_ path: String) -> Bool = { (try? FileIdentity(path: $0)) != nil }) {
    self.isThere = isThere
  }

  /// What to try for the bus at this path.
  func words(_ path: String) -> String {
    if path.hasPrefix("/run/a11yd/") {
      let name = path.dropFirst("/run/a11yd/".count).prefix { $0 != "." }
      // The link that applications look for leads to the socket for publishing.
      let unit = "a11yd-\(name == "bus" ? "publish" : name).socket"
      if has(unit, of: "system") { return "Is it running? Try: systemctl start \(unit)" }
    } else if path.hasSuffix("/a11yd/bus.sock"), has("a11yd.socket", of: "user") {
      return "Is it running? Try: systemctl --user start a11yd.socket"
    }
    return "Is it running? Try: a11yd --socket \(path)"
  }

  private func has(_ unit: String, of manager: String) -> Bool {
    Self.roots.contains { isThere("\($0)/systemd/\(manager)/\(unit)") }
  }
}
