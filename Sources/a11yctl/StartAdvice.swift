// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix

/// Advice on starting a bus that was not found, by the units of this machine.
struct StartAdvice {
  /// The roots of systemd's directories of units, in its order.
  private static let roots = ["/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"]

  private let isThere: (_ path: String) -> Bool

  init(isThere: @escaping (_ path: String) -> Bool = { (try? FileIdentity(path: $0)) != nil }) {
    self.isThere = isThere
  }

  /// The advice for the bus at this path.
  func advice(for path: String) -> String {
    if path.hasPrefix("/run/a11yd/") {
      let name = path.dropFirst("/run/a11yd/".count).prefix { $0 != "." }
      // The link bus.sock leads to the socket for publishing.
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
