// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The way to another server, as a server of a Redis cluster tells it.
package struct RedisHop: Equatable, Sendable {
  package let server: EngineAddress.Server
  /// Whether the slot is still on its way there, so that each command has to ask for it.
  package let isImporting: Bool

  /// Reads a refusal; nil where it names no other server.
  package init?(_ refusal: String, from asked: EngineAddress.Server) {
    let words = refusal.split(separator: " ")
    guard words.count >= 3, words[0] == "MOVED" || words[0] == "ASK" else { return nil }
    isImporting = words[0] == "ASK"
    let target = words[2]
    // A server that does not know its own address leaves the host out.
    if target.hasPrefix(":"), let port = Int(target.dropFirst()) {
      server = EngineAddress.Server(host: asked.host, port: port)
    } else if let server = EngineAddress.Server(String(target)) {
      self.server = server
    } else {
      return nil
    }
  }
}
